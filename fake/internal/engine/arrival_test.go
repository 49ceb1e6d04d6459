package engine_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/ring"
	"example.com/campaignfake/fixtures"
)

// Requests are counted by what they ask for, and with whose token.
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
		complete(e, &arrival, request) // which counts no more
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
	tally := e.Tally()
	if tally.Requests != 8 || tally.Unknown != 1 || tally.WithoutToken != 1 ||
		tally.Unmatched != 2 {
		t.Errorf("the tally is %+v", tally)
	}
}

// Counts that are cleared, or that start anew, have nothing of the requests under way.
func TestClearedCounts(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(e *engine.Engine){
		"cleared":     func(e *engine.Engine) { e.Clear(engine.OfTokens("alice")) },
		"all cleared": func(e *engine.Engine) { e.Clear(engine.Scope{}) },
		"reset":       func(e *engine.Engine) { e.Reset(engine.OfTokens("alice")) },
		"all reset":   func(e *engine.Engine) { e.Reset(engine.Scope{}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, withUser("alice", fixtures.User{}), withUser("bob", fixtures.User{}))
			arrive(e, "bob")
			arrival, request := arriveAs(e, "alice", "GET", listPath)
			change(e)
			complete(e, &arrival, request)
			if got := e.Count(engine.OfTokens("alice")); got != (engine.Counts{}) {
				t.Errorf("the counts are %+v, want none", got)
			}
			if got := e.Requests(engine.OfTokens("alice")); len(got) != 0 {
				t.Errorf("the journal has %+v", got)
			}
			others := len(e.Requests(engine.OfTokens("bob")))
			if want := strings.HasPrefix(name, "all "); (others == 0) != want {
				t.Errorf("the journal has %d requests of another token", others)
			}
		})
	}
}

// The tally describes ten different kinds of wrong requests, each once: with a query that was
// ignored, or matching nothing. It shows no query.
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
}

// Only a request for the route takes its turn.
func TestWhoTakesATurn(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("alice", scripted(503)))
	for _, r := range [][2]string{{"POST", listPath}, {"GET", "/wrong"}} {
		arrival, request := arriveAs(e, "alice", r[0], r[1])
		if arrival.Turn.Reply != nil || arrival.Turn.Number != 0 || !request.Unmatched {
			t.Errorf("%s has the turn %d, and that it is unmatched is %t",
				r, arrival.Turn.Number, request.Unmatched)
		}
	}
	got := arrive(e, "alice")
	if got.Turn.Reply == nil || got.Turn.Number != 1 {
		t.Errorf("the next request has the turn %d", got.Turn.Number)
	}
}

// What is noted wakes who waits for a change. A request counts as answered when its entry is
// complete.
func TestNote(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("alice", fixtures.User{}))
	arrival, request := arriveAs(e, "alice", "GET", listPath)
	changed, _ := e.Next()
	request.Reason = "0 campaigns"
	e.Note(&arrival, &ring.Entry{Request: request}, nil, plan.Body{})
	select {
	case <-changed:
	default:
		t.Error("nobody is told of the change")
	}
	got := e.Requests(engine.OfTokens("alice"))[0].Request
	if got.Reason != "0 campaigns" || e.Count(engine.OfTokens("alice")).Answered != 0 {
		t.Errorf("the journal has %+v, or it counts as answered", got)
	}
}
