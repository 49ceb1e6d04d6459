package engine

import (
	"net/http"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/ring"
)

// An Arrival holds the snapshot, the user and the turn that decide how a request is answered. They
// stay as they were when the request arrived.
type Arrival struct {
	Snapshot   *plan.Snapshot
	Route      plan.Route
	User       *plan.User // nil if the token has no user
	IsKnown    bool       // see account.isKnown
	IsPassedOn bool       // the upstream or a fallback answers
	UsesOnce   bool       // the connection takes no further request; see Engine.Breaks
	Turn       Turn       // zero unless the request is for the campaigns and its token has a user

	path    string  // the path of the request, escaped
	counts  *Counts // the account's counts on arrival; nil when Note has counted the answer
	journal *ring.Journal
}

// Arrive adds the entry of a request to the journal, and returns what is in force for the request.
// A later change does not affect the request. The entry must already have the token and the time.
// The journal shows the argument `shown` as the header of the request.
func (e *Engine) Arrive(
	entry *ring.Entry, received *http.Request, shown http.Header,
) Arrival {
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.accounts.of(entry.Request.Token)
	route := e.accounts.snapshot.Route(received)
	if route == plan.Campaigns {
		e.accounts.keepUser(a)
	}
	user, isRun := e.accounts.userNow(a)
	e.accounts.touch(a)
	arrival := Arrival{
		Snapshot: e.accounts.snapshot,
		Route:    route,
		User:     user,
		IsKnown:  a.isKnown(isRun),
		UsesOnce: e.breaksLocked(),
		path:     received.URL.EscapedPath(),
		counts:   a.counts,
		journal:  e.journal,
	}
	if user != nil && route == plan.Campaigns {
		arrival.Turn = a.takeTurn()
	}
	arrival.IsPassedOn = arrival.decidePassedOn()
	entry.Request.Unmatched = route.IsUnmatched()
	entry.Request.Held = arrival.Turn.Hold != nil // set before a test can see the entry
	e.journal.Add(entry, received, shown)
	e.countLocked(a, &arrival)
	e.changedLocked()
	return arrival
}

// decidePassedOn reports whether the upstream or a fallback answers the request. If the request is
// not for the campaigns, its route decides. A request for the campaigns is passed on if its user
// has IsOfUpstream, with two exceptions. The first exception is that the rate limit refuses the
// request. The second is that the reply for the request changes the answer, and does not only delay
// it.
func (arrival *Arrival) decidePassedOn() bool {
	if arrival.Route != plan.Campaigns {
		return arrival.Route == plan.PassedOn
	}
	if arrival.User == nil || !arrival.User.IsOfUpstream {
		return false
	}
	isRefused := arrival.Turn.Wait > 0
	isReplaced := arrival.Turn.Reply != nil && !arrival.Turn.Reply.IsNormal()
	return !isRefused && !isReplaced
}

// countLocked counts a request that has arrived.
func (e *Engine) countLocked(a *account, arrival *Arrival) {
	a.counts.Arrived++
	if arrival.Route == plan.Campaigns || arrival.Route == plan.Preflight {
		a.counts.Matched++
	}
	e.tally.Requests++
	switch {
	case arrival.IsPassedOn: // CountPassedOn counts the request later, unless its host is refused
	case arrival.Route == plan.Preflight: // no preflight has a token
	case a.token == "":
		e.tally.WithoutToken++
	case !arrival.IsKnown:
		e.tally.Unknown++
	}
}

// Note replaces the entry of a request in the journal by the argument entry. So the journal shows
// why the answer waits, what was answered, or why the answer ended early. Without an answer, the
// header is nil, and Note ignores the body. If the entry is complete, Note also counts the request
// as answered, but only once for each request.
func (e *Engine) Note(arrival *Arrival, entry *ring.Entry, header http.Header, body plan.Body) {
	isWrong := entry.Request.Unmatched || entry.Request.IgnoredQuery != ""
	test := e.Sharing.Of(entry.Request.Token)
	isOfTest := test != nil && !test.HasEnded()
	e.mu.Lock()
	defer e.mu.Unlock()
	// A request counts as answered only once: arrival.counts is nil after that. If somebody has
	// cleared the counts since the request arrived, arrival.counts is the old Counts, which nobody
	// reads.
	if entry.Request.Complete && arrival.counts != nil {
		arrival.counts.Answered++
		arrival.counts = nil
		if entry.Request.Unmatched {
			e.tally.Unmatched++
		}
		if isWrong && !isOfTest {
			e.describeWrongLocked(arrival, entry)
		}
	}
	arrival.journal.Note(entry, header, body)
	e.changedLocked()
}
