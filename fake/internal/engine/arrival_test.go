package engine_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/ring"
	"example.com/campaignfake/fixtures"
)

// Requests are counted by their route, and by whether a user has their token. A request counts as
// answered once, when its entry is complete. Only requests for the campaigns take a turn.
func TestCounts(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("alice", fixtures.User{}))
	for _, r := range []struct{ token, method, path string }{
		{"alice", "GET", listPath},
		{"alice", "HEAD", listPath},
		{"alice", "POST", listPath},
		{"alice", "GET", "/wrong"},
		{"alice~1", "GET", listPath},
		{"nobody", "GET", listPath},
		{"", "GET", listPath},
	} {
		arrival, request := arriveAs(e, r.token, r.method, r.path)
		complete(e, &arrival, request)
		complete(e, &arrival, request) // the counts were cleared, so it counts no more
	}
	preflight := httptest.NewRequest("OPTIONS", listPath, nil)
	preflight.Header.Set("Access-Control-Request-Method", "GET")
	e.Arrive(&ring.Entry{}, preflight, preflight.Header)
	for token, want := range map[string]engine.Counts{
		"alice":   {Arrived: 4, Matched: 2, Answered: 4},
		"alice~1": {Arrived: 1, Matched: 1, Answered: 1},
		"nobody":  {Arrived: 1, Matched: 1, Answered: 1},
		"":        {Arrived: 2, Matched: 2, Answered: 1},
		"bob":     {},
	} {
		if got := e.Count(engine.OfTokens(token)); got != want {
			t.Errorf("the counts of %q are %+v, want %+v", token, got, want)
		}
	}
	arrival, request := arriveAs(e, "alice", "GET", listPath)
	e.Note(&arrival, &ring.Entry{Request: request}, nil, plan.Body{})
	if got := e.Count(engine.OfTokens("alice")).Answered; arrival.Turn.Number != 3 || got != 4 {
		t.Errorf("the turn is %d, and %d requests are answered", arrival.Turn.Number, got)
	}
	tally := e.Tally()
	if tally.Requests != 9 || tally.Unknown != 1 || tally.WithoutToken != 1 ||
		tally.Unmatched != 2 {
		t.Errorf("the tally is %+v", tally)
	}
}

// Counts that were cleared, or that start anew, do not count requests that are still under way. The
// counts of other tokens stay.
func TestClearedCounts(t *testing.T) {
	t.Parallel()
	alice := engine.OfTokens("alice")
	for name, change := range map[string]func(e *engine.Engine){
		"cleared": func(e *engine.Engine) { e.Clear(alice) },
		"reset":   func(e *engine.Engine) { e.Reset(alice) },
	} {
		e := newEngine(t, withUser("alice", fixtures.User{}), withUser("bob", fixtures.User{}))
		arrive(e, "bob")
		arrival, request := arriveAs(e, "alice", "GET", listPath)
		change(e)
		complete(e, &arrival, request)
		if got := e.Count(alice); got != (engine.Counts{}) || len(e.Requests(alice)) != 0 {
			t.Errorf("%s, the counts are %+v", name, got)
		}
		bob := engine.OfTokens("bob")
		if e.Count(bob).Arrived != 1 || len(e.Requests(bob)) != 1 {
			t.Errorf("%s, another token has lost its request", name)
		}
	}
}

// The tally describes ten different kinds of wrong requests, each once: requests with an ignored
// query, and requests that match nothing. It shows no query.
func TestWrongRequests(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	for range 2 {
		arrival, request := arriveAs(e, "", "GET", listPath+"?secret=1")
		request.IgnoredQuery = "secret=1"
		complete(e, &arrival, request)
	}
	want := []string{"GET " + listPath + ": a query was sent, and the service documents none"}
	for i := range 12 {
		arrival, request := arriveAs(e, "", "GET", fmt.Sprintf("/%d?secret=1", i))
		request.Reason = "why"
		complete(e, &arrival, request)
		if i < 9 {
			want = append(want, fmt.Sprintf("GET /%d: why", i))
		}
	}
	if got := e.Tally(); got.Unmatched != 12 || !slices.Equal(got.Wrong, want) {
		t.Errorf("of %d unmatched requests, these are wrong: %q; want 12, %q",
			got.Unmatched, got.Wrong, want)
	}
	e.Tally().Wrong[0] = "changed"
	if got := e.Tally().Wrong[0]; got != want[0] {
		t.Errorf("who changes a copy changes the tally: %s", got)
	}
}
