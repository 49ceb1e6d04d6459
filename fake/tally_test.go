package fake_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
)

// A tally outlives whatever is cleared and reset. A preflight is no request without a token.
func TestTally(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t,
		fake.WithLenient(),
		fake.WithUser("alice", fixtures.User{}),
		fake.WithLogger(nil),
	)
	statuses(t, srv, "alice", 3)
	statuses(t, srv, "bob", 2)
	ask(t, srv, "GET", listPath, nil)
	ask(t, srv, "OPTIONS", listPath, preflight("http://a.test"))
	srv.ResetAll()
	statuses(t, srv, "alice", 1)
	srv.ClearRequests()
	for i := range 20 {
		for range 2 {
			ask(t, srv, "GET", fmt.Sprintf("/api/%d", i), bearer("alice"))
		}
	}
	got := srv.Tally()
	if len(got.Wrong) != 10 ||
		!strings.HasPrefix(got.Wrong[9], "GET /api/9: no route has this path") {
		t.Errorf("the first unmatched requests are %q", got.Wrong)
	}
	got.Wrong = nil
	want := journal.Tally{Requests: 48, Unknown: 2, WithoutToken: 1, Unmatched: 40}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the tally is %+v, want %+v", got, want)
	}
}
