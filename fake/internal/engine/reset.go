package engine

import (
	"slices"

	"example.com/campaignfake/fake/internal/report"
)

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
		e.resets++
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
	e.journal.UnmatchedDropped = e.journal.UnmatchedDropped && len(tokens) > 0
	for token, n := range e.accounts.byToken {
		if cleared(token) {
			n.Counts = &Counts{}
		}
	}
}

// A Dropped is what a token loses when it starts anew.
type Dropped struct {
	Requests int               `json:"requests"` // in the journal
	Unplayed []report.Unplayed `json:"unplayed"`
}

// startAnewLocked forgets what has become of a token: its user's replies, the queue, the rate
// limit, the draws, the counts, and the requests that matched the route. Requests under way
// end with what they arrived with, and are not in the journal. Those that matched nothing stay.
func (e *Engine) startAnewLocked(token string) Dropped {
	dropped := Dropped{Unplayed: []report.Unplayed{}}
	for entry := range e.journal.Entries {
		switch {
		case entry.Token != token:
		case entry.Unmatched:
			entry.Former = true
		default:
			e.journal.Clear(entry)
			dropped.Requests++
		}
	}
	if n := e.accounts.byToken[token]; n != nil {
		dropped.Unplayed = append(dropped.Unplayed, n.unplayed(true)...)
		n.clear()
	}
	return dropped
}
