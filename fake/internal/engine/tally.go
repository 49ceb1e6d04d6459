package engine

import (
	"slices"

	"example.com/campaignfake/fake/internal/words"
)

// A Tally counts what a server has received since it was made. Clearing and resetting do not
// change it. It is what the command prints when it stops; tests use Requests and CheckRequests.
type Tally struct {
	Requests int

	// Unknown counts the requests with tokens that no user has, and WithoutToken those
	// without a token that could be read, including preflights.
	Unknown, WithoutToken int

	// Unmatched counts requests with a path or a method that the service does not have,
	// and requests that net/http refuses by itself. First describes the first ten
	// different ones, with the reason.
	Unmatched int
	First     []string

	// Unplayed describes the replies that a test gave a finite number of times, in Go or over
	// HTTP, and that have not been played so often. What fixtures have is not among them.
	Unplayed []string
}

// Tally returns a copy of what was received since the start.
func (e *Engine) Tally() Tally {
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
	e.tally.countUnmatched("could not be read: " + reason)
}

// countUnmatched adds an unmatched request, described by its kind.
func (t *Tally) countUnmatched(kind string) {
	t.Unmatched++
	if len(t.First) < 10 && !slices.Contains(t.First, kind) {
		t.First = append(t.First, kind)
	}
}
