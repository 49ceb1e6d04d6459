// Package serve answers requests to the API: GET of the list of campaigns, and all else that
// reaches the server outside of the control plane.
//
// A request goes as an exchange through the steps of steps.go. Each step answers it, or leaves it
// to the next one:
//
//	enter         makes the entry in the journal, and takes, under the same lock, all that is in
//	              force for the request: settings, user, rate limit, the user's next reply
//	allowOrigin   CORS, and the answer to a preflight
//	findRoute     404, 405, or passed on to the upstream or another handler
//	checkToken    401
//	limitRate     429
//	chooseAnswer  notes whether the reply or the normal answer follows
//	delayAnswer   waits for a time, or until the request is released
//	deliver       campaigns, a reply, or a fault; or the answer of the upstream
//
// What a step finds becomes a phrase of the reason, which the journal and the log show as a
// sentence. The entry in the journal is complete before the last byte of the answer is sent.
//
// A fault is a function in faults.go. passon.go passes requests on, and passage.go adds our headers
// to their answers. Package engine, below, knows what is in force. Package fake, above, calls a
// Handler for each request.
package serve

import (
	"fmt"
	"net/http"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/upstream"
	"example.com/campaignfake/fake/internal/wire"
)

// A Handler answers the requests to the API. Any number of goroutines may use it at once.
type Handler struct {
	Engine   *engine.Engine
	Upstream *upstream.Proxy // the proxy to the upstream; nil without an upstream
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.Engine.BeginHandler() {
		http.Error(w, "The server is closed.", http.StatusServiceUnavailable)
		return
	}
	defer h.Engine.EndHandler() // even if x.end panics, since Close waits for handlers
	x := &exchange{
		engine:   h.Engine,
		proxy:    h.Upstream,
		writer:   w,
		received: r,
	}
	defer x.end()
	x.enter()
	if x.arrival.UsesOnce {
		w.Header().Set("Connection", "close")
	}
	if !x.arrival.IsPassedOn { // otherwise the upstream or the fallback reads the body
		wire.Drain(w, r)
	}
	for _, step := range steps {
		isAnswered := step(x)
		if isAnswered {
			return
		}
	}
}

// ServeHTTP defers end. So end runs after a step has answered the request, and also after a step
// has panicked. A step panics with http.ErrAbortHandler if net/http has to close the connection.
// Such a step has already ended the exchange, and the client still receives what was flushed.
func (x *exchange) end() {
	p := recover()
	if p != nil && !x.entry.Request.Complete {
		x.reason = phrases{answer: "the handler panicked: " + fmt.Sprint(p)}
		x.complete(0)
	}
	x.log()
	if p == nil {
		return
	}
	if p != http.ErrAbortHandler {
		x.test().FailPanic(advice.Describe(x.received), p)
	}
	panic(p)
}
