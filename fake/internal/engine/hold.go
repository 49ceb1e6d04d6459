package engine

import "sync/atomic"

// A Hold is the requests of a token that wait until they are released.
type Hold struct {
	Released chan struct{} // closed by their release
	Requests atomic.Int64  // how many wait: each takes itself away when it no longer does
}

// Release releases the requests of the tokens of a scope that wait for it, and returns how many
// there were. The scope is not that of all tokens.
func (e *Engine) Release(scope Scope) (requests int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, token := range e.accounts.tokensIn(scope) {
		requests += e.accounts.of(token).releaseHeld()
	}
	return requests
}

// releaseHeld releases the requests of an account, and returns how many there were.
func (a *account) releaseHeld() int {
	if a.held == nil {
		return 0
	}
	requests := a.held.Requests.Load() // before they take themselves away
	close(a.held.Released)
	a.held = nil
	a.holder = nil
	return int(requests)
}
