package engine

import (
	"slices"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fake/journal"
)

// Tally returns a copy of what was received since the start.
func (e *Engine) Tally() journal.Tally {
	unplayed := e.Unplayed()
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.tally
	for _, u := range unplayed {
		t.Unplayed = append(t.Unplayed, words.OfToken(u.Token)+": "+u.String())
	}
	return t
}

// CountRefused adds a request that could not be read, for a reason.
func (e *Engine) CountRefused(reason string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tally.Requests++
	e.tally.WithoutToken++
	countUnmatched(&e.tally, "could not be read: "+reason)
}

// countUnmatched adds an unmatched request, described by its kind.
func countUnmatched(t *journal.Tally, kind string) {
	t.Unmatched++
	if len(t.First) < 10 && !slices.Contains(t.First, kind) {
		t.First = append(t.First, kind)
	}
}
