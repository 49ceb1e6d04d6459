package engine

import (
	"net/http"
	"sync"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// flights are the requests whose handlers have not returned. The end of the server waits for
// them.
type flights struct {
	ended    bool // no request is accepted any more
	of       map[*InFlight]struct{}
	handlers sync.WaitGroup
}

// InFlight is a request whose handler has not returned.
type InFlight struct {
	Writer  http.ResponseWriter
	Request *http.Request
}

// Enter registers a request whose handler begins. It returns false if the server has ended.
func (e *Engine) Enter(f *InFlight) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.enterLocked(f)
}

func (e *Engine) enterLocked(f *InFlight) bool {
	if e.flights.ended {
		return false
	}
	e.flights.handlers.Add(1)
	e.flights.of[f] = struct{}{}
	return true
}

// Leave removes a request whose handler returns.
func (e *Engine) Leave(f *InFlight) {
	defer e.flights.handlers.Done()
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.flights.of, f)
}

// End rejects new requests, and ends what waits: answers that are delayed are sent.
func (e *Engine) End() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flights.ended = true
	e.changedLocked()
	e.end()
}

// Close ends the server, with a deadline for the requests under way, because a server that we
// do not own will not set one. It returns false if it was called before.
func (e *Engine) Close(deadline time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.Stopping.Err() != nil {
		return false
	}
	e.flights.ended = true
	e.changedLocked()
	for f := range e.flights.of { // no handler returns while mu is held
		wire.EndBy(f.Writer, f.Request, deadline)
	}
	e.stop()
	return true
}

// Ended reports whether End or Close has been called.
func (e *Engine) Ended() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.flights.ended
}

// SetDeadline sets a deadline of a request under way by a method of its ResponseController.
// The zero time is no deadline. It does nothing if the server has ended.
func (e *Engine) SetDeadline(set func(time.Time) error, deadline time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.flights.ended {
		set(deadline)
	}
}

// Wait returns when no request is under way.
func (e *Engine) Wait() { e.flights.handlers.Wait() }
