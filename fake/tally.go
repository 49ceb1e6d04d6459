package fake

import (
	"fmt"
	"slices"
)

// A Tally counts what a server has received since it was made. Clearing and resetting
// do not change it. It is what the command prints when it stops; tests use Requests and
// CheckRequests.
type Tally struct {
	Requests int

	// Users counts the requests of each user's token, for up to 10,000 tokens. Unknown
	// counts those of other tokens, and WithoutToken those without a token, including
	// preflights.
	Users                 map[string]int
	Unknown, WithoutToken int

	// Unmatched counts requests with a path or a method that the service does not
	// have. First describes the first ten different ones, with the reason.
	Unmatched int
	First     []string
}

// firstUnmatched is how many different unmatched requests a Tally describes.
const firstUnmatched = 10

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
