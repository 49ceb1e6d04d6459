package reason

import (
	"fmt"

	"example.com/campaignfake/fake/internal/words"
)

// A PassedOn means that the upstream answers.
type PassedOn struct {
	URL    string // the URL at the upstream, without the query, shortened
	Scheme string // of the URL
	Host   string // of the URL, without the port
	Reply  Part   // the Reply that has delayed the answer; nil if there is none
}

func (p PassedOn) String() string {
	passedOn := "passed on to " + p.URL
	if p.Reply == nil {
		return passedOn
	}
	return p.Reply.String() + "; " + passedOn
}

// A FailedUpstream means that an error is answered in place of the upstream's answer.
type FailedUpstream struct {
	Cause  string // a phrase that names the host
	Advice string // what to change, in a sentence
}

func (f FailedUpstream) String() string {
	return "not answered by the upstream: " + f.Cause
}

func (f FailedUpstream) Detail() string {
	return words.Sentence(f.Cause) + " " + f.Advice
}

// A BrokenUpstream means that the upstream has not finished its answer.
type BrokenUpstream struct {
	Cause string // a phrase that names the host
}

func (b BrokenUpstream) String() string {
	return b.Cause
}

// An EndedStream was an event stream or an upgraded connection. Such a stream lasts until one side
// ends it.
type EndedStream struct {
	By Ending
}

func (e EndedStream) String() string {
	return "it lasted until " + string(e.By)
}

// A ForeignHost refuses to pass a request on, because the host in it may not be this server's.
type ForeignHost struct {
	Host   string // shortened
	Advice string // why it is refused, and what to do, in sentences
}

func (f ForeignHost) String() string {
	return fmt.Sprintf("not passed on, since the host %q is not one of this server", f.Host)
}

func (f ForeignHost) Detail() string {
	return f.Advice
}
