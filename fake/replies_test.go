package fake_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Each reply answers its number of requests, and then the next reply follows. The normal answer is
// last. The journal says which reply was played.
func TestRepliesArePlayedInOrder(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", scripted(
		fixtures.Reply{Status: 503, Times: 2, Headers: http.Header{"Retry-After": {"1"}}},
		fixtures.Reply{Response: "invalid_token"},
		fixtures.Reply{Body: "just text"},
	)))
	expectStatuses(t, srv, "alice", "503 503 401 200 200")
	for i, want := range []string{
		"scripted: 503, headers of its own (1 of 2)",
		"scripted: 503, headers of its own (2 of 2)",
		"scripted: invalid_token",
		"scripted: a body of its own",
		"0 campaigns",
	} {
		if got := srv.Requests()[i].Reason; got != want {
			t.Errorf("the reason of answer %d is %q, want %q", i, got, want)
		}
	}
}

// Each reply answers exactly its number of requests, even if many arrive at once.
func TestRepliesAreCountedExactly(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", scripted(
		fixtures.Reply{Status: 500, Times: 150},
		fixtures.Reply{Status: 501},
		fixtures.Reply{Status: 502, Delay: &fixtures.Delay{Fixed: time.Microsecond}, Times: 100},
	)))
	srv.Enqueue("alice", fixtures.Reply{Status: 599, Times: 50})
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() { statuses(t, srv, "alice", 30) })
	}
	all.Wait()
	counts := make(map[int]int)
	for _, request := range srv.Requests() {
		counts[request.Status]++
	}
	want := map[int]int{599: 50, 500: 150, 501: 1, 502: 100, 200: 16*30 - 301}
	if !maps.Equal(counts, want) {
		t.Errorf("the statuses are %v, want %v", counts, want)
	}
}

// A strict test fails for replies that were given in Go, and not played.
func TestUnplayedRepliesFailTheTest(t *testing.T) {
	t.Parallel()
	var tb recorder
	srv := fake.NewTestServer(&tb,
		fake.WithUser("alice", fixtures.User{Replies: []fixtures.Reply{
			{Status: 503, Times: 3},
			{Fault: "reset"},
			{Times: fixtures.Always},
		}}),
		fake.WithUser("bob", scripted(fixtures.Reply{Status: 503})),
		fake.WithUser("carol", fixtures.User{}))
	statuses(t, srv, "alice", 1)
	statuses(t, srv, "bob", 1)
	srv.Enqueue("carol", fixtures.Reply{Fault: "hang", Times: 2})
	steer(t, srv, "POST", "replies?token=carol", "{}") // a normal answer, as from the page
	tb.finish()
	const want = `replies were not played:
	of token "alice": reply 1 of 3 (503): played 1 of 3 times
	of token "alice": reply 2 of 3 (reset): never played
	of token "carol": enqueued reply 1 of 1 (hang): never played
These requests arrived:
	1. GET /api/user/campaigns with token "alice"`
	expect(t, tb.text(), want)
}

// All values of a header are sent, in their order, and replaced together.
func TestHeadersOfSeveralValues(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t,
		fake.WithService(fixtures.Service{Success: fixtures.Response{Headers: http.Header{
			"x-list": {"b", "a", "b", ""},
			"Vary":   {"Accept", "Cookie"},
		}}}),
		fake.WithUser("alice", scripted(
			fixtures.Reply{},
			fixtures.Reply{Fault: "bad_json", Headers: http.Header{"X-LIST": {"1", "2"}}},
		)))
	for i, want := range [][]string{{"b", "a", "b", ""}, {"1", "2"}} {
		response, _ := ask(t, srv, "GET", listPath, bearer("alice"))
		got, noted := response.Header["X-List"], srv.Requests()[i].Answer.Header["X-List"]
		if !slices.Equal(got, want) || !slices.Equal(noted, want) {
			t.Errorf("answer %d has %q, and the journal %q, want %q", i, got, noted, want)
		}
		expect(t, strings.Join(response.Header["Vary"], ", "), "Accept, Cookie")
	}
}
