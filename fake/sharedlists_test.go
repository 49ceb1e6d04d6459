package fake_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"example.com/campaignfake/fake"
)

const sharedList = `
x-list: &list [{id: a, name: Spring, status: active, created_at: 2026-01-05T09:30:00Z, updated_at: {ago: 1h}}]
users:
  alice: {campaigns: *list}
  bob: {campaigns: *list}
`

// Users who share a list by an alias answer each for itself: values that are drawn by
// the token differ, and a change of one user is none of the other.
func TestUsersWhoShareAList(t *testing.T) {
	t.Parallel()
	for name, drawn := range map[string]bool{"alike": false, "drawn": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := sharedList
			if drawn {
				text = strings.ReplaceAll(text, "id: a, ", "")
			}
			srv := fake.NewTestServer(t, fake.WithFixtures(fstest.MapFS{"a.yaml": {Data: []byte(text)}}))
			alice := bodyOf(t, srv, "alice")
			bob := bodyOf(t, srv, "bob")
			if !strings.Contains(alice, `"Spring"`) || (alice == bob) == drawn {
				t.Errorf("alice gets %s, and bob %s", alice, bob)
			}
			if of := srv.Requests("bob"); !strings.HasSuffix(of[0].Reason, "1 campaign") {
				t.Errorf("the answer to bob has the reason %q", of[0].Reason)
			}
			if err := srv.SetUser("bob", fake.User{}); err != nil {
				t.Fatal(err)
			}
			if again := bodyOf(t, srv, "alice"); again != alice {
				t.Errorf("after a change of bob, alice gets %s", again)
			}
		})
	}
}
