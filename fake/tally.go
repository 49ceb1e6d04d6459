package fake

import (
	"fmt"
	"slices"
)

// A Tally is what a server has received since it was made, whatever was cleared or
// reset meanwhile.
type Tally struct {
	Requests int

	// Users counts requests by the tokens of users, of up to 10,000, Unknown those
	// of other tokens, and WithoutToken those without a token, preflights among them.
	Users                 map[string]int
	Unknown, WithoutToken int

	// Unmatched counts requests for another path, or with another method, than
	// the service has; First are the first ten kinds of them, each with why it
	// matched nothing.
	Unmatched int
	First     []string
}

// firstUnmatched is how many kinds of unmatched requests are kept.
const firstUnmatched = 10

// Tally returns what the server has received since it was made. It is a copy.
func (s *Server) Tally() Tally { return s.state.received() }

// count adds a request that has arrived.
func (t *Tally) count(n *account) {
	t.Requests++
	switch {
	case n.token == "":
		t.WithoutToken++
	case !n.known, len(t.Users) >= maxUsers && t.Users[n.token] == 0:
		t.Unknown++
	default:
		if t.Users == nil {
			t.Users = make(map[string]int)
		}
		t.Users[n.token]++
	}
}

// countUnmatched adds a request that matched nothing.
func (t *Tally) countUnmatched(x *exchange) {
	t.Unmatched++
	if len(t.First) == firstUnmatched {
		return
	}
	kind := fmt.Sprintf("%s %s: %s", shorten(x.r.Method), shorten(x.path), x.reason)
	if !slices.Contains(t.First, kind) {
		t.First = append(t.First, kind)
	}
}
