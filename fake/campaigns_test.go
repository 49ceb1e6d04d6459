package fake_test

import (
	"encoding/json"
	"testing"

	"example.com/campaignfake/fake"
)

// What a user has can be had without a request of it.
func TestCampaignsOfAToken(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{Campaigns: []fake.Campaign{spring}, Replies: []fake.Reply{{Status: 503}}}), fake.WithLenient())
	_, body := ask(t, srv, "GET", "/_fake/campaigns?token=alice", nil)
	statuses(t, srv, "alice", 1)
	if _, want := ask(t, srv, "GET", listPath, bearer("alice")); body != want {
		t.Errorf("the campaigns are %s, want %s", body, want)
	}
	srv.CheckRequests(t, "alice", 2)
	if status, _ := steer(t, srv, "GET", "campaigns?token=bob", ""); status != 404 {
		t.Errorf("those of nobody are answered %d", status)
	}
}

// The first campaigns can be had without the rest, of which there may be a million.
func TestFirstCampaignsOfAToken(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithService(fake.Service{IDs: "sequence"}),
		fake.WithUser("written", fake.User{Campaigns: []fake.Campaign{{ID: "a"}, {ID: "b"}, {ID: "c"}}}),
		fake.WithUser("many", fake.User{Generate: &fake.Generate{Count: 1_000_000}}),
		fake.WithUser("edges", fake.User{Generate: &fake.Generate{Count: 5, EdgeCases: "all"}}))
	_, edges := steer(t, srv, "GET", "campaigns?token=edges&limit=0", "")
	for query, want := range map[string]struct{ campaigns, more int }{
		"written&limit=2": {2, 1}, "written&limit=3": {3, 0}, "written&limit=0": {0, 3},
		"many&limit=20":  {20, 999_980},
		"edges&limit=2":  {2 + len(campaignsOf(t, edges).Campaigns), 3},
		"edges&limit=10": {5 + len(campaignsOf(t, edges).Campaigns), 0},
	} {
		_, answer := steer(t, srv, "GET", "campaigns?token="+query, "")
		got := campaignsOf(t, answer)
		if len(got.Campaigns) != want.campaigns || got.More != want.more {
			t.Errorf("%s has %d campaigns and %d more, want %d and %d", query, len(got.Campaigns), got.More, want.campaigns, want.more)
		}
	}
	for _, limit := range []string{"", "-1", "few", "1000001"} {
		if status, _ := steer(t, srv, "GET", "campaigns?token=many&limit="+limit, ""); status != 400 {
			t.Errorf("the limit %q is answered %d", limit, status)
		}
	}
}

type firstCampaigns struct {
	Campaigns []map[string]any
	More      int
}

func campaignsOf(t *testing.T, answer string) (list firstCampaigns) {
	t.Helper()
	if err := json.Unmarshal([]byte(answer), &list); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	return list
}
