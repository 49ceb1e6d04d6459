package engine

import (
	"fmt"
	"slices"

	"example.com/campaignfake/fake/internal/words"
)

// A Tally counts what a server has received since it was made; see Tally of package fake.
type Tally struct {
	Requests              int
	Unknown, WithoutToken int
	Unmatched             int
	First                 []string
}

// firstUnmatched is how many different unmatched requests a Tally describes.
const firstUnmatched = 10

// count adds a request that has arrived.
func (t *Tally) count(n *account) {
	t.Requests++
	switch {
	case n.token == "":
		t.WithoutToken++
	case !n.known:
		t.Unknown++
	}
}

// Received returns what was received since the start.
func (e *Engine) Received() Tally {
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.tally
	t.First = slices.Clone(t.First)
	return t
}

// countUnmatched adds a request that matched nothing.
func (t *Tally) countUnmatched(x *Arrival) {
	t.countKind(fmt.Sprintf("%s %s: %s", words.Shorten(x.Request.Method), words.Shorten(x.Path), x.Reason))
}

// CountRefused adds a request that could not be read, for a reason.
func (e *Engine) CountRefused(reason string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tally.Requests++
	e.tally.WithoutToken++
	e.tally.countKind("could not be read: " + reason)
}

// countKind adds an unmatched request, described by its kind.
func (t *Tally) countKind(kind string) {
	t.Unmatched++
	if len(t.First) < firstUnmatched && !slices.Contains(t.First, kind) {
		t.First = append(t.First, kind)
	}
}
