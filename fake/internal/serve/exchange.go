package serve

import (
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/ring"
	"example.com/campaignfake/fake/internal/upstream"
)

// An exchange is one request to the API, on its way to its answer.
type exchange struct {
	engine   *engine.Engine
	proxy    *upstream.Proxy // nil if there is no upstream
	writer   http.ResponseWriter
	received *http.Request

	// The method enter sets these.
	token   string         // "" if the request has no readable token
	noToken reason.Refusal // why the request has no token; nil if it has a token
	arrival engine.Arrival // what is in force for the request

	reason phrases    // the reason for the answer
	entry  ring.Entry // what is known so far; the method note copies the entry into the journal
	body   plan.Body  // the whole body of the answer, even if only a part is sent

	isWarning bool // the line of the log is a warning: for example, a fault was not delivered
}

// The phrases are the parts of a reason, in their order. A part that does not apply is "".
type phrases struct {
	answer string // which answer the request gets, and why
	delay  string // how the answer was delayed
	ending string // why not everything was sent, or why a fault had no effect
	hint   string // what may be wrong with an unknown token
}

// String returns the reason as one sentence.
func (r *phrases) String() string {
	sentence := r.answer
	for _, phrase := range []string{r.delay, r.ending, r.hint} {
		if phrase != "" {
			sentence += "; " + phrase
		}
	}
	return sentence
}

// test returns the test that gets the failures of the request.
func (x *exchange) test() *report.Test {
	return x.engine.TestOf(x.token)
}

// note copies what is known of the request so far into the journal.
func (x *exchange) note() {
	x.entry.Request.Reason = x.reason.String()
	var header http.Header // nil while there is no answer
	hasAnswer := x.entry.Request.Status != 0
	if hasAnswer {
		header = x.shown(x.writer.Header())
	}
	x.engine.Note(&x.arrival, &x.entry, header, x.body)
}

// shown returns a header as the journal shows it. Cookies of an upstream may be somebody's session,
// so their values are hidden.
func (x *exchange) shown(header http.Header) http.Header {
	if x.proxy == nil {
		return header
	}
	return upstream.MaskCookies(header)
}

// complete completes the entry in the journal. The caller sends the answer afterwards, or sends
// none if the status is 0.
func (x *exchange) complete(status int) {
	x.entry.Request.Complete = true
	x.entry.Request.Status = status
	x.entry.Request.Duration = time.Since(x.entry.Request.At)
	x.note()
}

// noteBroken notes in the journal how the body of the answer ended early, for example "5 of 10
// bytes were sent before the client went away". It does not complete the entry: this was done when
// the answer began.
func (x *exchange) noteBroken(how string) {
	x.reason.ending = how
	x.entry.Request.Broken = true
	x.note()
}

// awaitEnd waits until the client has gone away or the server is closed, and says which of them has
// ended the wait. A client that closes its sending side after the request counts as gone, because
// the server cannot tell the two apart.
func (x *exchange) awaitEnd() string {
	select {
	case <-x.received.Context().Done():
	case <-x.engine.Ending.Done():
	}
	return x.whoEndedWait()
}

// whoEndedWait says whether the client or the server has ended a wait. It asks about the client
// first: at the end of a test, the server is often closed just after the client has gone away.
func (x *exchange) whoEndedWait() string {
	if x.received.Context().Err() != nil {
		return "the client went away"
	}
	return "the server was closed"
}

// whoBrokeAnswer says whether the server or the client has ended an answer. It asks about the
// server first: closing the server breaks the connection, so that the client seems to have gone
// away as well.
func (x *exchange) whoBrokeAnswer() string {
	if x.engine.Ending.Err() != nil {
		return "the server was closed"
	}
	return "the client went away"
}
