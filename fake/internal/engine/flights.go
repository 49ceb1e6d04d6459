package engine

import (
	"net/http"
	"sync"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// flights are the requests whose handlers have not returned. Closing the server waits for
// them.
type flights struct {
	closed   bool // no request is accepted any more
	of       map[*InFlight]struct{}
	answers  int           // requests to the API among them
	drained  chan struct{} // closed when there are none of these; nil if nobody waits
	handlers sync.WaitGroup
}

// InFlight is a request whose handler has not returned.
type InFlight struct {
	Writer  http.ResponseWriter
	Request *http.Request
	IsCall  bool // to the control plane
}

// Enter registers a request whose handler begins. It returns false if the server is closed.
func (e *Engine) Enter(f *InFlight) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.enterLocked(f)
}

func (e *Engine) enterLocked(f *InFlight) bool {
	if e.flights.closed {
		return false
	}
	e.flights.handlers.Add(1)
	e.flights.of[f] = struct{}{}
	if !f.IsCall {
		e.flights.answers++
	}
	return true
}

// Leave removes a request whose handler returns.
func (e *Engine) Leave(f *InFlight) {
	defer e.flights.handlers.Done()
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.flights.of, f)
	if !f.IsCall {
		e.flights.answers--
	}
	if e.flights.answers == 0 && e.flights.drained != nil {
		close(e.flights.drained)
		e.flights.drained = nil
	}
}

// Drained returns a channel that is closed when no request to the API is under way.
func (e *Engine) Drained() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	drained := e.flights.drained
	if drained == nil {
		drained = make(chan struct{})
	}
	if e.flights.answers == 0 {
		close(drained)
	} else {
		e.flights.drained = drained
	}
	return drained
}

// Close rejects new requests, ends what waits, and sets a deadline for the requests under way,
// because a server that we do not own will not. It returns false if the server was closed
// before.
func (e *Engine) Close(deadline time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.flights.closed {
		return false
	}
	e.flights.closed = true
	e.changedLocked()
	for f := range e.flights.of { // no handler returns while mu is held
		wire.EndBy(f.Writer, f.Request, deadline)
	}
	e.stop()
	return true
}

// Closed reports whether Close has been called.
func (e *Engine) Closed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.flights.closed
}

// SetDeadline sets a deadline of a request under way by a method of its ResponseController.
// The zero time is no deadline. It does nothing if the server is closed, because Close has set
// the deadlines.
func (e *Engine) SetDeadline(set func(time.Time) error, deadline time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.flights.closed {
		set(deadline)
	}
}

// Wait returns when no request is under way.
func (e *Engine) Wait() { e.flights.handlers.Wait() }
