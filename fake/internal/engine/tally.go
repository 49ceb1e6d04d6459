package engine

import (
	"slices"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fake/journal"
)

// maxFirst is how many different kinds of unmatched requests a tally describes.
const maxFirst = 10

// Tally returns a copy of what was received since the start.
func (e *Engine) Tally() journal.Tally {
	var unplayed []string
	for _, reply := range e.Unplayed(Scope{}) {
		token := reply.Token
		if !e.IsChosen(token) {
			token = words.Mask(token)
		}
		unplayed = append(unplayed, words.OfToken(token)+": "+reply.String())
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	tally := e.tally
	tally.First = slices.Clone(tally.First)
	tally.Unplayed = unplayed
	return tally
}

// CountPassedOn counts a request that is passed on to the upstream now.
func (e *Engine) CountPassedOn() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tally.PassedOn++
}

// describeUnmatchedLocked describes an unmatched request in the tally, unless that has its kind, or
// enough kinds, already.
func (e *Engine) describeUnmatchedLocked(kind string) {
	if len(e.tally.First) < maxFirst && !slices.Contains(e.tally.First, kind) {
		e.tally.First = append(e.tally.First, kind)
	}
}
