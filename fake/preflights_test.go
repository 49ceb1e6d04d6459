package fake_test

import (
	"testing"

	"example.com/campaignfake/fake"
)

// A request names its preflight as long as the journal has that.
func TestPreflightThatLeftTheJournal(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}), fake.WithJournal(2))
	ask(t, srv, "OPTIONS", listPath, asksFirst(page))
	ask(t, srv, "GET", listPath, fromApp())
	if got := srv.Requests("alice")[0].Preflight; got != 1 {
		t.Errorf("the request has the preflight %d, want 1", got)
	}
	ask(t, srv, "GET", listPath, bearer("alice"))
	if got := srv.Requests("alice")[0].Preflight; got != 0 {
		t.Errorf("the request has the preflight %d, which has left the journal", got)
	}
}

// A preflight whose request was cleared had one nevertheless.
func TestPreflightOfAClearedRequest(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
	ask(t, srv, "OPTIONS", listPath, asksFirst(page))
	ask(t, srv, "GET", listPath, fromApp())
	srv.ClearRequests("alice")
	if got := srv.Requests()[0].Advice.Title; got != "" {
		t.Errorf("the preflight has the advice %q", got)
	}
}

// Preflights without a request do not get in the way of later ones, however many they are.
func TestManyPreflightsWithoutARequest(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
	for range 200 {
		ask(t, srv, "OPTIONS", listPath, asksFirst("http://other.test"))
	}
	ask(t, srv, "OPTIONS", listPath, asksFirst(page))
	ask(t, srv, "GET", listPath, fromApp())
	if got := srv.Requests("alice")[0].Preflight; got != 201 {
		t.Errorf("the request has the preflight %d, want 201", got)
	}
}

// Of several preflights that ask for the same, all are followed by the first request, and
// the newest one belongs to it.
func TestPreflightsThatAskForTheSame(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithInMemory())
	ask(t, srv, "OPTIONS", listPath, asksFirst(page))
	ask(t, srv, "OPTIONS", listPath, asksFirst(page))
	ask(t, srv, "GET", listPath, fromApp())
	list := srv.Requests()
	for i, want := range []int{0, 0, 2} {
		if r := list[i]; r.Preflight != want || r.Advice.Title != "" {
			t.Errorf("request %d has the preflight %d and the advice %q, want %d without any", r.Number, r.Preflight, r.Advice.Title, want)
		}
	}
}
