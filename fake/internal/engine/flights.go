package engine

import (
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// Enter registers a request whose handler begins: the end of the server waits for it. It returns
// false if the server has ended.
func (e *Engine) Enter(w http.ResponseWriter, r *http.Request) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.Ended() {
		return false
	}
	e.handlers.Add(1)
	e.inFlight[r] = w
	return true
}

// Leave removes a request whose handler returns.
func (e *Engine) Leave(r *http.Request) {
	defer e.handlers.Done()
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.inFlight, r)
}

// End rejects new requests, sends delayed answers at once, and ends every other wait without an
// answer.
func (e *Engine) End() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.end()
	e.changedLocked()
}

// Close ends the server. It sets a deadline for the requests under way, because the user's own
// http.Server may call the handler, and sets no deadline. It returns false if it was called before.
func (e *Engine) Close(deadline time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.Stopping.Err() != nil {
		return false
	}
	e.stop()
	e.changedLocked()
	for r, w := range e.inFlight { // mu is held, so no handler returns meanwhile
		wire.EndBy(w, r, deadline)
	}
	return true
}

// Ended reports whether End or Close has been called.
func (e *Engine) Ended() bool {
	return e.Ending.Err() != nil
}

// Wait returns when no request is under way.
func (e *Engine) Wait() {
	e.handlers.Wait()
}
