// Package serve answers a request to the API, in eight steps:
//
//	enter        the entry in the journal, and under the same lock all that is in force:
//	             settings, user, rate limit, reply
//	allowOrigin  CORS, and the answer to a preflight
//	findRoute    404, 405
//	checkToken   401
//	limitRate    429
//	playReply    its reason; enter took the reply: first those that were enqueued
//	delayAnswer  a time, or until the request is released
//	deliver      campaigns or fault; the entry is complete before the last byte
//
// The steps are in steps.go. A fault is one line and one function in faults.go, and what
// fixtures/faults.go lists. Serve stands
// above engine, which has what is in force, and below package fake, which calls it.
package serve

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/text"
)

// A Handler answers the requests to the API. It may be used by any number of goroutines
// at once.
type Handler struct {
	*engine.Engine
	exchanges sync.Pool // memory of finished exchanges
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h.CheckBubble(); err != nil {
		h.Test.Refuse("ServeHTTP", err)
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if !h.Enter(w, r) {
		http.Error(w, "The server is closed.", http.StatusServiceUnavailable)
		return
	}
	x, ok := h.exchanges.Get().(*exchange)
	if !ok {
		x = new(exchange)
	}
	x.handler, x.ResponseWriter, x.Received, x.At = h, w, r, time.Now()
	defer x.leave(r)
	defer x.end()
	x.enter()
	if x.UsesOnce {
		w.Header().Set("Connection", "close")
	}
	if r.Close || x.Route.Matched() {
		x.drain()
	}
	for _, step := range steps {
		if step(x) {
			return
		}
	}
}

// drain reads the body of the request, which the service does not use. It is called before an
// answer may be delayed, because net/http notices that a client has gone away only after the whole
// request was read, and before a connection is closed, because closing it with unread bytes
// resets it, and the answer is lost.
func (x *exchange) drain() {
	if wire.Drain(x.ResponseWriter, x.Received) { // the client has gone away, which net/http does not notice here
		ctx, cancel := context.WithCancel(x.Received.Context())
		cancel()
		x.Received = x.Received.WithContext(ctx)
	}
}

// end is deferred, and called when a step has answered the request, or has panicked.
func (x *exchange) end() {
	wire.LimitRest(x.ResponseWriter, x.Received)
	p := recover()
	if p != nil && !x.Complete {
		x.because("the handler panicked: %v", p)
		x.complete(0)
	}
	x.log()
	if p != nil {
		x.handler.TestOf(x.Token).Panicked(advice.Describe(x.Received), p)
	}
}

// leave is deferred, and called after end even if that panics. Closing the server waits
// for it.
func (x *exchange) leave(r *http.Request) {
	h := x.handler
	h.Leave(r)
	*x = exchange{}
	h.exchanges.Put(x)
}

// log writes the line of the access log.
func (x *exchange) log() {
	log := x.handler.Config.Logger.Handler() // a Logger would look up its caller, which is always the same
	// What the client should change is a warning, which a quiet log has, too.
	level := slog.LevelInfo
	if x.Unmatched || x.Route != plan.Preflight && x.Token == "" || x.isSlip {
		level = slog.LevelWarn
	}
	if !log.Enabled(context.Background(), level) {
		return
	}
	// A token that nobody was given may be a secret.
	token := x.Token
	if token != "" && !x.Known && !x.isSlip {
		token = words.Mask(token)
	}
	var query slog.Attr // the log leaves it out if it is zero
	if x.Received.URL.RawQuery != "" {
		query = slog.String("ignored_query", words.Shorten(maskQuery(x.Received.URL.RawQuery)))
	}
	line := slog.NewRecord(time.Now(), level, "request", 0)
	line.AddAttrs(
		slog.String("method", words.Shorten(x.Method)),
		slog.String("path", words.Shorten(x.Received.URL.Path)),
		query,
		slog.Int("status", x.Status),
		slog.String("token", token),
		slog.Float64("duration_ms", words.InMilliseconds(x.Duration)),
		slog.String("reason", x.Reason))
	log.Handle(context.Background(), line)
}

// hidden matches what maskQuery hides, after the name of each parameter.
var hidden = text.Pattern(`(^|&)([^&=]+=)?[^&]*`)

// maskQuery hides the values of a query, which may be secrets, as may a parameter that has
// no value.
func maskQuery(query string) string { return hidden().ReplaceAllString(query, "$1$2…") }
