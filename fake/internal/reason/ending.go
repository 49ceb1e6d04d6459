package reason

import "fmt"

// An Ending says in a phrase what has ended a wait or an answer.
type Ending string

const (
	ClientGone   Ending = "the client went away"
	ServerClosed Ending = "the server was closed"
)

// An EndedDelay means that a delay was broken off, so that no answer was sent.
type EndedDelay struct {
	By Ending
}

func (e EndedDelay) String() string {
	return string(e.By) + " before that"
}

// A ShortenedDelay is a delay that the end of the server has cut short. The answer was sent.
type ShortenedDelay struct {
	Delay Part
}

func (s ShortenedDelay) String() string {
	return s.Delay.String() + ", cut short by the end of the server"
}

// NoAnswer means that nothing was sent at all.
type NoAnswer struct {
	Until Ending
}

func (n NoAnswer) String() string {
	return "nothing was sent until " + string(n.Until)
}

// NothingToBreak means that a fault could not break the body of the answer, because answers with
// its status have none, or answers to HEAD.
type NothingToBreak struct {
	Status int // 0 if the method is HEAD
}

func (n NothingToBreak) String() string {
	if n.Status == 0 {
		return "an answer to HEAD has no body to break"
	}
	return fmt.Sprintf("an answer with status %d has no body to break", n.Status)
}

// A StalledBody was sent in part. Then nothing more was sent.
type StalledBody struct {
	Sent  int // bytes that were sent
	Bytes int // bytes of the whole body
	Until Ending
}

func (s StalledBody) String() string {
	return fmt.Sprintf("%d of %d bytes were sent, and then nothing until %s",
		s.Sent, s.Bytes, s.Until)
}

// A BrokenBody could not be sent to its end.
type BrokenBody struct {
	Sent  int // bytes that were sent
	Bytes int // bytes of the whole body
	By    Ending
}

func (b BrokenBody) String() string {
	return fmt.Sprintf("%d of %d bytes were sent before %s", b.Sent, b.Bytes, b.By)
}
