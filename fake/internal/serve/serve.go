// Package serve answers requests to the API: GET of the list of campaigns, and all else that
// reaches the server outside of the control plane.
//
// A request is an exchange on its way through the steps of steps.go, each of which answers it or
// leaves it to the next:
//
//	enter         makes the entry in the journal, and takes, under the same lock, all that is in
//	              force for the request: settings, user, rate limit, the user's next reply
//	allowOrigin   CORS, and the answer to a preflight
//	findRoute     404, 405, or passed on to the upstream
//	checkToken    401
//	limitRate     429
//	chooseAnswer  the reply, or the normal answer, for the reason
//	delayAnswer   a time, or until the request is released
//	deliver       campaigns, a reply, or a fault; or the answer of the upstream
//
// What a step finds becomes a part of the reason (package reason), whose sentence the journal and
// the log have. The entry in the journal is complete before the last byte of the answer is sent.
//
// A fault is a function in faults.go. What is passed on to the upstream is in upstream.go, and an
// answer of the upstream that a reply changes in fetch.go. Package engine, below, has what is in
// force; package fake, above, calls a Handler for each request.
package serve

import (
	"context"
	"fmt"
	"net/http"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/internal/upstream"
	"example.com/campaignfake/fake/internal/wire"
)

// A Handler answers the requests to the API. It may be used by any number of goroutines
// at once.
type Handler struct {
	Engine   *engine.Engine
	Upstream *upstream.Proxy // to which other requests are passed on; nil if there is none
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.Engine.Enter(w, r) {
		http.Error(w, "The server is closed.", http.StatusServiceUnavailable)
		return
	}
	defer h.Engine.Leave(r) // after all, even if end panics: closing the server waits for it
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
	switch {
	case x.arrival.IsPassedOn: // the upstream reads the body
	case r.Close || x.arrival.Route.IsMatched():
		x.drain()
	default: // net/http reads it, before it sends a long answer
		wire.LimitRest(w, r)
	}
	for _, step := range steps {
		isAnswered := step(x)
		if isAnswered {
			return
		}
	}
}

// drain reads the body of the request, which the service does not use. It is called before an
// answer may be delayed, because net/http notices that a client has gone away only after the whole
// request was read, and before a connection is closed, because closing it with unread bytes
// resets it, and the answer is lost.
func (x *exchange) drain() {
	isGone := wire.Drain(x.writer, x.received)
	if !isGone {
		return
	}
	// net/http does not notice here that the client has gone away.
	ctx, cancel := context.WithCancel(x.received.Context())
	cancel()
	x.received = x.received.WithContext(ctx)
}

// end is deferred, and called when a step has answered the request, or has panicked.
func (x *exchange) end() {
	wire.LimitRest(x.writer, x.received)
	p := recover()
	if p != nil && !x.entry.Complete {
		x.reason = reason.Reason{Answer: reason.Panic{Value: fmt.Sprint(p)}, Token: x.reason.Token}
		x.complete(0)
	}
	x.log()
	if p != nil {
		x.test().Panicked(advice.Describe(x.received), p)
	}
}
