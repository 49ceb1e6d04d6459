package engine

import "time"

// BeginHandler counts the handler of a request as running: Wait waits for it. It returns false if
// the server is closed.
func (e *Engine) BeginHandler() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.Ended() {
		return false
	}
	e.handlers.Add(1)
	return true
}

// EndHandler counts a handler as ended.
func (e *Engine) EndHandler() {
	e.handlers.Done()
}

// Close closes the server: it rejects new requests, and ends everything that waits. It returns
// false if it was called before.
func (e *Engine) Close() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.Ended() {
		return false
	}
	e.end()
	e.changedLocked()
	return true
}

// Ended reports whether Close has been called.
func (e *Engine) Ended() bool {
	return e.Ending.Err() != nil
}

// Wait waits until no handler is running, or until the time `longest` has passed. If an http.Server
// of the calling program runs the handlers, a handler may hang: it may write to a client that does
// not read.
func (e *Engine) Wait(longest time.Duration) {
	isOver := make(chan struct{})
	go func() {
		e.handlers.Wait()
		close(isOver)
	}()
	select {
	case <-isOver:
	case <-time.After(longest):
	}
}
