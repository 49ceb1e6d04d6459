package serve

import (
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/engine"
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

	// enter sets these.
	token   string         // "" if there is none that can be read
	noToken reason.Refusal // why there is none, else nil
	arrival engine.Arrival // what is in force for the request

	reason reason.Reason   // why the request is answered as it is
	entry  journal.Request // what is known of the request by now; the journal has a copy
	body   []byte          // of the answer, even if not all of it is sent
	header http.Header     // of the upstream's answer; nil if it is that of the writer

	isStream bool // the answer of the upstream lasts until a side ends it
	isLogged bool
}

// test returns the test to which failures of the request are reported.
func (x *exchange) test() *report.Test {
	return x.engine.TestOf(x.token)
}

// note enters what is known of the request by now into the journal.
func (x *exchange) note() {
	x.entry.Reason = x.reason.String()
	var header http.Header // nil while there is no answer
	if x.entry.Status != 0 {
		header = x.shownHeader()
	}
	entry := ring.Entry{Request: x.entry, Reason: x.reason}
	x.engine.Note(&x.arrival, entry, header, x.body)
}

// shownHeader returns the header of the answer as the journal has it.
func (x *exchange) shownHeader() http.Header {
	header := x.header
	if header == nil {
		header = x.writer.Header()
	}
	if x.proxy == nil {
		return header
	}
	return upstream.MaskCookies(header)
}

// complete completes the entry in the journal, before the answer is sent. Status 0 means that there
// is none.
func (x *exchange) complete(status int) {
	x.entry.Complete = true
	x.entry.Status = status
	x.entry.Duration = time.Since(x.entry.At)
	x.note()
}

// cut notes that the body of an answer ended early, after the entry was completed.
func (x *exchange) cut(how reason.Part) {
	x.reason.Cut = how
	x.entry.Broken = true
	x.note()
}

// awaitEnd waits until the client has gone away or the server is closed, and returns which.
//
// A client that closes its sending side after the request counts as gone, because the
// server sees no difference.
func (x *exchange) awaitEnd() reason.Ending {
	select {
	case <-x.received.Context().Done():
	case <-x.engine.Ending.Done():
	}
	return x.ending()
}

// ending returns what has ended a wait, or an answer.
func (x *exchange) ending() reason.Ending {
	if x.engine.Ending.Err() != nil {
		return reason.ServerClosed
	}
	return reason.ClientGone
}

// abort does not return: it panics with http.ErrAbortHandler, by which net/http closes the
// connection in the middle of an exchange. What has been flushed is sent, and then its end.
func abort() {
	panic(http.ErrAbortHandler)
}
