package reason

import "fmt"

// An Ending is what ends a wait, or an answer: a phrase.
type Ending string

const (
	ClientGone   Ending = "the client went away"
	ServerClosed Ending = "the server was closed"
)

// An EndedDelay was over before the answer could be sent.
type EndedDelay struct {
	By Ending
}

func (e EndedDelay) String() string {
	return string(e.By) + " before that"
}

// NoAnswer is the fault that sends nothing.
type NoAnswer struct {
	Until Ending
}

func (n NoAnswer) String() string {
	return "nothing was sent until " + string(n.Until)
}

// NothingToBreak is an answer without a body that a fault could break: because of its status, or
// of HEAD.
type NothingToBreak struct {
	Status int // 0 if the method is HEAD
}

func (n NothingToBreak) String() string {
	if n.Status == 0 {
		return "an answer to HEAD has no body to break"
	}
	return fmt.Sprintf("an answer with status %d has no body to break", n.Status)
}

// A StalledBody was sent in part, and then nothing more.
type StalledBody struct {
	Sent, Bytes int
	Until       Ending
}

func (s StalledBody) String() string {
	return fmt.Sprintf("%d of %d bytes were sent, and then nothing until %s",
		s.Sent, s.Bytes, s.Until)
}

// A BrokenBody could not be sent to its end.
type BrokenBody struct {
	Sent, Bytes int
	By          Ending
}

func (b BrokenBody) String() string {
	return fmt.Sprintf("%d of %d bytes were sent before %s", b.Sent, b.Bytes, b.By)
}
