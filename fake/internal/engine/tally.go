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

// countUnmatched adds an unmatched request, described by its kind.
func countUnmatched(t *journal.Tally, kind string) {
	t.Unmatched++
	if len(t.First) < 10 && !slices.Contains(t.First, kind) {
		t.First = append(t.First, kind)
	}
}
