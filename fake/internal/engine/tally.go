package engine

import (
	"slices"

	"example.com/campaignfake/fake/internal/ring"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fake/journal"
)

// maxWrong bounds how many lines about wrong requests a tally has.
const maxWrong = 10

// Tally returns a copy of the counts of all requests since the start, and lists the replies that
// are unplayed now.
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
	tally.Wrong = slices.Clone(tally.Wrong)
	tally.Unplayed = unplayed
	return tally
}

// CountPassedOn counts a request that is passed on to the upstream or the fallback now.
func (e *Engine) CountPassedOn() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tally.PassedOn++
}

// describeWrongLocked adds to the tally a line about a request that matched nothing, or had a
// query. The tally has each line once, and at most maxWrong lines. The line leaves out the query,
// which may hold secrets.
func (e *Engine) describeWrongLocked(arrival *Arrival, entry *ring.Entry) {
	why := entry.Request.Reason
	if entry.Request.IgnoredQuery != "" {
		why = "a query was sent, and the service documents none"
	}
	kind := words.CutInput(entry.Request.Method) + " " + words.CutInput(arrival.path) + ": " + why
	if len(e.tally.Wrong) < maxWrong && !slices.Contains(e.tally.Wrong, kind) {
		e.tally.Wrong = append(e.tally.Wrong, kind)
	}
}
