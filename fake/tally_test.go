package fake_test

import (
	"testing"

	"example.com/campaignfake/fake"
)

// Clearing and resetting do not change a tally.
func TestTally(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient())
	statuses(t, srv, "bob", 2)
	srv.ResetAll()
	through(t, srv, "/api/wrong", "alice")
	srv.ClearRequests()
	got := srv.Tally()
	if got.Requests != 3 || got.Unknown != 3 || got.Unmatched != 1 || len(got.Wrong) != 1 {
		t.Errorf("the tally is %+v", got)
	}
}
