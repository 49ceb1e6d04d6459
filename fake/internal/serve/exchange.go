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
	"example.com/campaignfake/fake/journal"
)

// An exchange is one request to the API, on its way to its answer.
type exchange struct {
	engine   *engine.Engine
	proxy    *upstream.Proxy // nil if there is no upstream
	writer   http.ResponseWriter
	received *http.Request

	// The method enter sets these.
	token    string         // "" if the request has no token that can be read
	noToken  reason.Refusal // why it has none; nil if it has one
	isChosen bool           // somebody has chosen the token, so that the log may show it
	arrival  engine.Arrival // what is in force for the request

	reason reason.Reason   // why the request is answered as it is
	entry  journal.Request // what is known of the request by now; the journal has a copy
	body   plan.Body       // the whole body of the answer, even if only a part is sent

	upstreamHeader    http.Header // the header of the upstream's answer; nil without such an answer
	isUpstreamStream  bool        // the upstream's answer lasts until one side ends it
	hasBodyOfUpstream bool        // body is the upstream's, though a reply has changed the answer
	isLogged          bool
}

// test returns the test that is told about failures of the request.
func (x *exchange) test() *report.Test {
	return x.engine.TestOf(x.token)
}

// note writes into the journal what is known of the request by now.
func (x *exchange) note() {
	x.entry.Reason = x.reason.String()
	var header http.Header // nil while there is no answer
	hasAnswer := x.entry.Status != 0
	if hasAnswer {
		header = x.shownHeader()
	}
	entry := &ring.Entry{Request: x.entry, Reason: x.reason}
	body := x.body
	if x.hasBodyOfUpstream {
		// It may be somebody's data, so the journal has its length alone, as of what is passed on.
		body = plan.Body{}
		entry.Request.Answer.Bytes = len(x.body.Bytes)
	}
	x.engine.Note(&x.arrival, entry, header, body)
}

// shownHeader returns the header of the answer as the journal shows it. Cookies of an upstream may
// be somebody's session, so their values are hidden.
func (x *exchange) shownHeader() http.Header {
	header := x.upstreamHeader
	if header == nil {
		header = x.writer.Header()
	}
	if x.proxy == nil {
		return header
	}
	return upstream.MaskCookies(header)
}

// complete completes the entry in the journal. It is called before the answer is sent. Status 0
// means that no answer is sent.
func (x *exchange) complete(status int) {
	x.entry.Complete = true
	x.entry.Status = status
	x.entry.Duration = time.Since(x.entry.At)
	x.note()
}

// noteCut notes how the body of the answer ended early. The entry was completed before.
func (x *exchange) noteCut(how reason.Part) {
	x.reason.Cut = how
	x.entry.Broken = true
	x.note()
}

// awaitEnd waits until the client has gone away or the server is closed, and returns which of them
// has ended the wait. A client that closes its sending side after the request counts as gone,
// because the server sees no difference.
func (x *exchange) awaitEnd() reason.Ending {
	select {
	case <-x.received.Context().Done():
	case <-x.engine.Ending.Done():
	}
	return x.ending()
}

// ending returns who has ended a wait or an answer: the server, or else the client.
func (x *exchange) ending() reason.Ending {
	if x.engine.Ending.Err() != nil {
		return reason.ServerClosed
	}
	return reason.ClientGone
}
