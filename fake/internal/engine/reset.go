package engine

import (
	"slices"

	"example.com/campaignfake/fake/internal/ring"
)

// Reset puts tokens back to how the server started, and forgets their requests, or everything
// if none is given.
func (e *Engine) Reset(tokens ...string) {
	defer e.KeepAlives() // when the lock is free again
	e.mu.Lock()
	defer e.mu.Unlock()
	defer e.changedLocked()
	if len(tokens) == 0 {
		for _, a := range e.accounts.byToken {
			a.releaseHeld()
		}
		e.accounts = newAccounts(e.accounts.snapshot, e.accounts.exhausted)
		e.journal = ring.New()
		return
	}
	for _, token := range tokens {
		a := e.accounts.of(token)
		e.startAnewLocked(a)
		e.accounts.setUserOfStart(a)
	}
	e.accounts.forgetFormerUsers()
}

// startAnewLocked makes an account one whose token has sent nothing: it forgets replies that were
// enqueued, draws, counts and requests. Requests under way end with what they arrived with, and are
// not in the journal. The user is set, or removed, by who calls it.
func (e *Engine) startAnewLocked(a *account) {
	e.journal.Clear(func(token string) bool { return token == a.token })
	a.releaseHeld()
	a.queue = script{}
	a.counts = &Counts{}
	a.turns = 0
}

// Clear forgets the requests of tokens, or all of them if none is given.
func (e *Engine) Clear(tokens ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	isCleared := func(token string) bool {
		return len(tokens) == 0 || slices.Contains(tokens, token)
	}
	e.journal.Clear(isCleared)
	for token, a := range e.accounts.byToken {
		if isCleared(token) {
			a.counts = &Counts{}
		}
	}
	e.changedLocked()
}
