package fake_test

import (
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A reload leaves replies that wait as they are.
func TestReloadWhileRepliesWait(t *testing.T) {
	t.Parallel()
	layout := "2006-01-02"
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithLoader(func() (*fixtures.Set, error) {
		return &fixtures.Set{Service: fake.Service{Timestamps: layout}}, nil
	}))
	campaigns := []fake.Campaign{{ID: "17", Name: "Spring", CreatedAt: "2026-01-01", Status: "active"}} // of which one field is drawn
	srv.SetUser("alice", fake.User{Campaigns: campaigns, Replies: []fake.Reply{{Campaigns: campaigns}}})
	layout = "02.01.2006"
	if err := srv.Reload(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, got := list(t, srv, "alice")
		if want := `{"campaigns":[{"id":"17","name":"Spring","created_at":"2026-01-01","updated_at":"2026-`; !strings.HasPrefix(got, want) {
			t.Errorf("the answer is %s, want %s", got, want)
		}
	}
}
