package serve

import (
	"fmt"
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
)

// An exchange is one request to the API and its answer. Steps write through it, so that
// the entry in the journal is complete before the client has the whole answer.
type exchange struct {
	http.ResponseWriter
	engine.Arrival
	handler *Handler

	// The steps set these.
	reply       *plan.Reply // nil for the normal answer
	remark      string      // is added to the reason
	placeholder string      // a word that was sent in place of a token

	drained bool // the body of the request was read
	gone    bool // the client closed the connection before the end of it
}

// because sets the reason of the answer.
func (x *exchange) because(format string, args ...any) { x.Reason = fmt.Sprintf(format, args...) }

// WriteHeader completes the entry in the journal, and sends the header.
func (x *exchange) WriteHeader(status int) {
	x.complete(status, x.Reason)
	x.ResponseWriter.WriteHeader(status)
}

// flush sends what has been written so far.
func (x *exchange) flush() { http.NewResponseController(x.ResponseWriter).Flush() }

// Unwrap is for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// complete enters the answer into the journal. Only the first call does. Status 0 means
// that there is no answer.
func (x *exchange) complete(status int, reason string) {
	if x.Done {
		return
	}
	x.Done, x.Status, x.Reason, x.Duration = true, status, reason+x.remark, time.Since(x.At)
	var header http.Header
	if status != 0 {
		header = x.Header()
	}
	x.handler.Note(&x.Arrival, header)
}

// amend adds to the reason of an answer that broke after it was completed.
func (x *exchange) amend(format string, args ...any) {
	x.Reason += fmt.Sprintf(format, args...)
	x.Broken = true
	x.handler.Note(&x.Arrival, nil)
}
