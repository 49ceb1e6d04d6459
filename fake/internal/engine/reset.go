package engine

import "slices"

// Reset puts tokens back to how the server started, and forgets their requests, or everything
// if none is given.
func (e *Engine) Reset(tokens ...string) {
	defer e.KeepAlives() // when the lock is free again
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(tokens) == 0 {
		for _, n := range e.accounts.byToken {
			n.release()
		}
		e.startLocked()
	}
	for _, token := range tokens {
		n := e.accounts.of(token, e.snapshot)
		e.startAnewLocked(n)
		e.accounts.give(n, e.snapshot.User(token))
	}
	e.changedLocked()
}

// startAnewLocked makes an account one whose token has sent nothing and has no user: it forgets
// replies, the rate limit, the draws, the counts and the requests. Requests under way end with
// what they arrived with, and are not in the journal.
func (e *Engine) startAnewLocked(n *account) {
	e.journal.Clear(func(token string) bool { return token == n.token })
	n.release()
	*n = account{token: n.token, kept: n.kept, recent: n.recent, Counts: &Counts{}}
}

// Clear forgets the requests of tokens, or all of them if none is given.
func (e *Engine) Clear(tokens ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	cleared := func(token string) bool { return len(tokens) == 0 || slices.Contains(tokens, token) }
	e.journal.Clear(cleared)
	for token, n := range e.accounts.byToken {
		if cleared(token) {
			n.Counts = &Counts{}
		}
	}
	e.changedLocked()
}
