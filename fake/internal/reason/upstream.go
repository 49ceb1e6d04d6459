package reason

import (
	"fmt"

	"example.com/campaignfake/fake/internal/words"
)

// A PassedOn is answered by the upstream.
type PassedOn struct {
	URL   string // where it was passed on to, without its query, shortened
	Reply Part   // the Reply that has delayed it; nil if there is none
}

func (p PassedOn) String() string {
	passedOn := "passed on to " + p.URL
	if p.Reply == nil {
		return passedOn
	}
	return p.Reply.String() + "; " + passedOn
}

// A FailedUpstream is the reason for an error in place of the upstream's answer.
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

// A BrokenUpstream has not finished its answer.
type BrokenUpstream struct {
	Cause string // a phrase that names the host
}

func (b BrokenUpstream) String() string {
	return b.Cause
}

// An EndedStream is an event stream or an upgraded connection, which lasts until a side ends it.
type EndedStream struct {
	By Ending
}

func (e EndedStream) String() string {
	return "it lasted until " + string(e.By)
}

// A ForeignHost refuses a request to a host that is not certainly one of this server, where it
// would be passed on.
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
