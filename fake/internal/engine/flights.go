package engine

import (
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// InFlight is a request whose handler has not returned. The end of the server waits for it.
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
	if e.ended {
		return false
	}
	e.handlers.Add(1)
	e.inFlight[f] = struct{}{}
	return true
}

// Leave removes a request whose handler returns.
func (e *Engine) Leave(f *InFlight) {
	defer e.handlers.Done()
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.inFlight, f)
}

// End rejects new requests, and ends what waits: answers that are delayed are sent.
func (e *Engine) End() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ended = true
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
	e.ended = true
	e.changedLocked()
	e.stop()                    // before the deadlines: a handler that sets one of its own looks at Stopping after that
	for f := range e.inFlight { // no handler returns while mu is held
		wire.EndBy(f.Writer, f.Request, deadline)
	}
	return true
}

// Ended reports whether End or Close has been called.
func (e *Engine) Ended() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.ended
}

// Wait returns when no request is under way.
func (e *Engine) Wait() { e.handlers.Wait() }
