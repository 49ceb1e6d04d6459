package serve

import (
	"fmt"
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/engine"
)

// An exchange is one request to the API and its answer. Steps write through it, so that
// the entry in the journal is complete before the client has the whole answer.
type exchange struct {
	engine.Arrival
	handler *Handler

	// The steps set these.
	remark string // is added to the reason
	isSlip bool   // the token is no secret: it is nearly a user's, or a word that stands in its place
}

// because sets the reason of the answer.
func (x *exchange) because(format string, args ...any) { x.Reason = fmt.Sprintf(format, args...) }

// WriteHeader completes the entry in the journal, and sends the header.
func (x *exchange) WriteHeader(status int) {
	x.complete(status)
	x.ResponseWriter.WriteHeader(status)
}

// complete enters the answer into the journal. Only the first call does. Status 0 means
// that there is no answer.
func (x *exchange) complete(status int) {
	if x.Complete {
		return
	}
	x.Complete, x.Status, x.Duration = true, status, time.Since(x.At)
	x.Reason += x.remark
	x.handler.Note(&x.Arrival)
}

// amend adds to the reason of an answer that broke after it was completed.
func (x *exchange) amend(format string, args ...any) {
	x.Reason += fmt.Sprintf(format, args...)
	x.Broken = true
	x.handler.Note(&x.Arrival)
}

// awaitEnd waits until the client has gone away or the server is closed, and returns that
// in words.
//
// A client that closes its sending side after the request counts as gone, because the
// server sees no difference.
func (x *exchange) awaitEnd() string {
	select {
	case <-x.Received.Context().Done():
	case <-x.handler.Ending.Done():
	}
	return x.whyEnded()
}

// whyEnded returns in words why a wait or an answer has ended.
func (x *exchange) whyEnded() string {
	if x.handler.Ending.Err() != nil {
		return "the server was closed"
	}
	return "the client went away"
}

// abort closes the connection in the middle of an exchange: what has been flushed is sent,
// and then its end. Without a connection, as with a recorder, the handler panics.
func abort() { panic(http.ErrAbortHandler) }
