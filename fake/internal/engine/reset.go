package engine

import "example.com/campaignfake/fake/internal/ring"

// Reset puts the tokens of a scope back to how the server started, and forgets their requests. It
// forgets a token that has no user at the start, so that no list has it any more.
func (e *Engine) Reset(scope Scope) {
	defer e.OnBreaksChanged() // called when the lock is free again
	e.mu.Lock()
	defer e.mu.Unlock()
	defer e.changedLocked()
	if scope.IsAll() {
		for _, a := range e.accounts.byToken {
			a.releaseHeld()
		}
		e.accounts = newAccounts(e.accounts.snapshot)
		e.journal = ring.New()
		return
	}
	e.journal.Clear(scope.Has)
	for _, token := range e.accounts.tokensIn(scope) {
		e.accounts.resetToken(token)
	}
}

// resetToken gives a token the user that it has at the start, or forgets it if it has none.
func (all *accounts) resetToken(token string) {
	a := all.of(token)
	a.startAnew()
	user := all.snapshot.User(token)
	if user == nil {
		all.forget(a)
		return
	}
	all.giveUser(a, user)
}

// startAnew makes an account forget what its token has sent: its counts, its turns and the replies
// that were enqueued. Requests under way keep the user and the reply that they took on arrival. The
// caller clears the journal, and sets or removes the user.
func (a *account) startAnew() {
	a.releaseHeld()
	a.dropQueue()
	a.counts = &Counts{}
	a.turns = 0
}

// Clear forgets the requests of the tokens of a scope.
func (e *Engine) Clear(scope Scope) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.journal.Clear(scope.Has)
	for token, a := range e.accounts.byToken {
		if scope.Has(token) {
			a.counts = &Counts{}
		}
	}
	e.changedLocked()
}
