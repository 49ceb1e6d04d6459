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
	e.clearLocked(tokens)
	for _, token := range tokens {
		if n := e.accounts.byToken[token]; n != nil {
			e.accounts.remove(n)
		}
		if u := e.snapshot.User(token); u != nil {
			e.accounts.setUser(token, u)
		}
	}
	e.changedLocked()
}

// Clear forgets the requests of tokens, or all of them if none is given.
func (e *Engine) Clear(tokens ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.clearLocked(tokens)
	e.changedLocked()
}

// clearLocked forgets the requests of tokens, or all of them if none is given.
func (e *Engine) clearLocked(tokens []string) {
	cleared := func(token string) bool { return len(tokens) == 0 || slices.Contains(tokens, token) }
	for entry := range e.journal.Entries {
		if cleared(entry.Token) {
			e.journal.Clear(entry)
		}
	}
	for token, n := range e.accounts.byToken {
		if cleared(token) {
			n.Counts = &Counts{}
		}
	}
}

// startAnewLocked forgets what has become of a token: its user's replies, the queue, the rate
// limit, the draws, the counts, and the requests that matched the route. Requests under way
// end with what they arrived with, and are not in the journal. Those that matched nothing stay.
func (e *Engine) startAnewLocked(n *account) {
	for entry := range e.journal.Entries {
		switch {
		case entry.Token != n.token:
		case entry.Unmatched:
			entry.Former = true
		default:
			e.journal.Clear(entry)
		}
	}
	n.release()
	*n = account{token: n.token, in: n.in, element: n.element, Counts: &Counts{}}
}
