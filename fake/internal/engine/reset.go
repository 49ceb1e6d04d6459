package engine

import "example.com/campaignfake/fake/internal/ring"

// Reset gives the tokens of a scope the users that they have at the start, and forgets their
// requests. It forgets a token that has no user at the start: no list of tokens has it any more.
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

// resetToken clears the state of a token, and gives it the user that it has at the start. If the
// token has no user at the start, resetToken forgets the token.
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

// startAnew releases the held requests of an account, drops its enqueued replies, and sets its
// counts to zero. It also sets turns to zero, so that the sequence of random delays starts anew.
// Requests under way keep the user and the reply that they took on arrival. The caller clears the
// journal, and sets or removes the user.
func (a *account) startAnew() {
	a.releaseHeld()
	a.dropQueue()
	a.counts = &Counts{}
	a.turns = 0
}

// Clear removes the requests of a scope from the journal, and clears the counts of its tokens.
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
