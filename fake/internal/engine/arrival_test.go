package engine_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
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
func TestFirstWrong(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	want := []string{"GET " + listPath + ": a query was sent, and the service documents none"}
	for _, query := range []string{"secret=1", "secret=2"} {
		arrival, request := arriveAs(e, "", "GET", listPath+"?"+query)
		request.IgnoredQuery = query
		complete(e, &arrival, request)
	}
	for i := range 12 {
		path := fmt.Sprint("/", i)
		if i < 9 {
			want = append(want, "GET "+path+": why")
		}
		for range 2 {
			arrival, request := arriveAs(e, "", "GET", path+"?secret=1")
			request.Reason = "why"
			complete(e, &arrival, request)
		}
	}
	tally := e.Tally()
	if tally.Unmatched != 24 || !slices.Equal(tally.Wrong, want) {
		t.Errorf("there are %d unmatched requests, the first %q; want 24, %q",
			tally.Unmatched, tally.Wrong, want)
	}
	tally.Wrong[0] = "changed"
	if got := e.Tally().Wrong[0]; got != want[0] {
		t.Errorf("who changes a copy changes the tally: %s", got)
	}
}

// What is in force when a request arrives holds for it, whatever changes then.
func TestArrivalDoesNotChange(t *testing.T) {
	t.Parallel()
	f := &file{users: map[string]fixtures.User{"alice": described("old")}}
	e := newEngine(t, f.read)
	arrival := arrive(e, "alice")
	f.users["alice"] = described("new")
	err := e.Reload()
	if err != nil {
		t.Fatal(err)
	}
	if arrival.User.Fixture.Description != "old" || arrival.Snapshot == e.InForce() {
		t.Errorf("the request has the user %+v", arrival.User.Fixture)
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
	if got.Route != plan.Campaigns || got.Turn.Reply == nil || got.Turn.Number != 1 {
		t.Errorf("the next request has the turn %d", got.Turn.Number)
	}
}

// The journal has what is noted, with what was found, and wakes who waits for a change.
func TestNote(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("alice", fixtures.User{}))
	arrival, request := arriveAs(e, "alice", "GET", listPath)
	changed, _ := e.Next()
	found := reason.NearToken{Near: "demo"}
	request.Status = 200
	request.Reason = "0 campaigns"
	request.Duration = time.Second
	entry := &ring.Entry{Request: request, Finding: found}
	e.Note(&arrival, entry, map[string][]string{"A": {"b"}}, plan.NewBody([]byte("body")))
	select {
	case <-changed:
	default:
		t.Error("nobody is told of the change")
	}
	got := e.Requests(engine.OfTokens("alice"))[0]
	if got.Request.Reason != "0 campaigns" || got.Finding != found {
		t.Errorf("the journal has the reason %s, and %+v", got.Request.Reason, got.Finding)
	}
	if answer := got.Request.Answer; answer.Body != "body" || answer.Header.Get("A") != "b" {
		t.Errorf("the journal has the answer %+v", answer)
	}
	if e.Count(engine.OfTokens("alice")).Answered != 0 {
		t.Error("a request whose entry is not complete counts as answered")
	}
}
