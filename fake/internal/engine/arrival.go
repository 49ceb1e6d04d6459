package engine

import (
	"fmt"
	"net/http"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/ring"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// An Arrival is a request to the API, its answer, and all that was in force when it arrived.
type Arrival struct {
	http.ResponseWriter // whose Header is that of the answer
	Received            *http.Request

	ring.Entry        // what is known of it by now; the journal has a copy
	Body       []byte // of the answer, even if not all of it is sent

	// Arrive sets these.
	Snapshot *plan.Snapshot
	Route    plan.Route
	User     *plan.User // nil if the token has none
	Known    bool       // the token is not an unknown one
	UsesOnce bool       // the connection is not used for another request

	// Arrive sets these, too, if a user's token and the route are right.
	Wait  int             // seconds until the rate limit allows a request; 0 if it does
	Turn  int             // the number of the request among those of its token
	Reply *plan.Reply     // nil for the normal answer
	Delay *fixtures.Delay // nil if there is none
	Hold  *Hold           // nil unless the delay is until the release of the request

	counts  *Counts // of the account when the request arrived; nil once it counts as answered
	journal *ring.Journal
}

// Arrive enters a request into the journal, and sets the snapshot, the user and the reply
// that are in force for it: a change that comes later does not affect it.
func (e *Engine) Arrive(x *Arrival) {
	e.mu.Lock()
	defer e.mu.Unlock()
	x.Snapshot, x.journal, x.UsesOnce = e.snapshot, e.journal, e.breaksLocked()
	x.Route = x.Snapshot.Route(x.Received)
	x.Unmatched = !x.Route.Matched()
	n := e.accounts.of(x.Token, e.snapshot)
	e.accounts.remember(n)
	// The token of the account is in memory once for all its requests.
	x.Token, x.User, x.Known, x.counts = n.token, n.user, n.known(), n.Counts
	n.Arrived++
	e.tally.Requests++
	switch {
	case x.Token == "":
		e.tally.WithoutToken++
	case !x.Known:
		e.tally.Unknown++
	}
	if !x.Unmatched {
		n.Matched++
	}
	e.journal.Add(&x.Entry, x.Received, n.latest)
	n.latest = x.Number
	e.changedLocked()
	if x.User != nil && !x.Unmatched && x.Route != plan.Preflight {
		n.takeTurn(x)
	}
}

// Note enters what is known of a request into the journal: the reason of an answer that waits or
// has ended early, or all of one that is complete.
func (e *Engine) Note(x *Arrival) {
	e.mu.Lock()
	defer e.mu.Unlock()
	// A request counts as answered once. Counts that were cleared since it arrived are others.
	if x.Complete && x.counts != nil {
		x.counts.Answered++
		x.counts = nil
		if x.Unmatched {
			countUnmatched(&e.tally, fmt.Sprintf("%s %s: %s", words.Shorten(x.Method), words.Shorten(x.Received.URL.EscapedPath()), x.Reason))
		}
	}
	var header http.Header
	if x.Status != 0 {
		header = x.ResponseWriter.Header()
	}
	x.journal.Note(&x.Entry, header, x.Body)
	e.changedLocked()
}
