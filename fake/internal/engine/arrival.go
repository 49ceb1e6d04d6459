package engine

import (
	"fmt"
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/journal"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
)

// An Arrival is a request to the API, with the settings that were in force when it
// arrived, and the part of its answer that the journal gets.
type Arrival struct {
	InFlight
	Path  string // as it was sent
	At    time.Time
	Token string

	// Arrive sets these.
	Snapshot *plan.Snapshot
	Route    plan.Route
	User     *plan.User // nil if the token has none
	Known    bool       // the token is not an unknown one
	UsesOnce bool       // the connection is not used for another request
	Turn     Turn       // zero unless a user's token and the route are right

	counts    *Counts // of the account when the request arrived
	isCounted bool    // as answered
	journal   *journal.Journal
	number    int // in the journal

	journal.Answered
	Body []byte // of the answer
}

// Arrive enters a request into the journal, and sets the snapshot, the user and the reply
// that are in force for it: a change that comes later does not affect it. It returns false
// if the server is closed.
func (e *Engine) Arrive(x *Arrival) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.enterLocked(&x.InFlight) {
		return false
	}
	x.Snapshot, x.UsesOnce = e.snapshot, e.mayBreak
	x.Route = x.Snapshot.Route(x.Request, x.Path)
	n := e.accounts.of(x.Token, e.snapshot)
	e.accounts.remember(n)
	n.Arrived++
	e.tally.Requests++
	switch {
	case n.token == "":
		e.tally.WithoutToken++
	case !n.known:
		e.tally.Unknown++
	}
	if x.Route.Matched() {
		n.Matched++
	}
	x.Token, x.User, x.Known, x.counts = n.token, n.user, n.known, n.Counts
	x.journal, x.number = e.journal, e.journal.Add(x.Request, x.At, x.Token, x.Route.Unmatched(), n.latest)
	n.latest = x.number
	e.changedLocked()
	if x.User != nil && x.Route.Matched() && x.Route != plan.Preflight {
		x.Turn = n.takeTurn(x.User)
	}
	return true
}

// Note enters what is known of the answer into the journal: the reason of one that waits or has
// ended early, or once it is done all of it, with its header, which is nil if there is none.
func (e *Engine) Note(x *Arrival, header http.Header) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if x.Done && !x.isCounted {
		x.isCounted = true
		x.counts.Answered++
		if x.Route.Unmatched() {
			e.tally.countKind(fmt.Sprintf("%s %s: %s", words.Shorten(x.Request.Method), words.Shorten(x.Path), x.Reason))
		}
	}
	x.journal.Note(x.number, x.Answered, header, x.Body)
	e.changedLocked()
}
