package engine

import "sync/atomic"

// A Hold is the requests of a token that wait until they are released.
type Hold struct {
	Released chan struct{} // closed by their release
	Requests atomic.Int64  // how many wait: each takes itself away when it no longer does
}

// A Release is what releasing the requests of some tokens came to.
type Release struct {
	Requests int // that were held

	// IsEarly is true if nothing was held, though the next request of a token will be: it stays
	// so, if nobody releases it again.
	IsEarly bool
}

// Release releases the requests of the tokens of a scope that wait for it. The scope is not that of
// all tokens.
func (e *Engine) Release(scope Scope) Release {
	e.mu.Lock()
	defer e.mu.Unlock()
	var release Release
	for _, token := range e.accounts.tokensIn(scope) {
		a := e.accounts.of(token)
		e.accounts.findUser(a)
		if a.holder == nil && a.willHold() {
			release.IsEarly = true
		}
		release.Requests += a.releaseHeld()
	}
	if release.Requests > 0 {
		release.IsEarly = false
	}
	return release
}

// willHold reports whether the next request of an account that takes its turn is held.
func (a *account) willHold() bool {
	isForgotten := a.isTooLong() && !a.pinned
	if a.user == nil || isForgotten {
		return false
	}
	delay := a.delayOf(a.nextReply())
	return delay != nil && delay.UntilReleased
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
