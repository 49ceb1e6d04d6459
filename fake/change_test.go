package fake_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Users are set, replaced and removed, and put back at a reset.
func TestUsersChange(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, srv door) {
		check := func(when, token string, want ...string) {
			t.Helper()
			for i, w := range want {
				status, body := list(t, srv, token)
				if !strings.Contains(fmt.Sprint(status, " ", body), w) {
					t.Errorf("%s, answer %d to %s is %d %s, want %s in it",
						when, i+1, token, status, body, w)
				}
			}
		}
		user := fixtures.User{
			Description: "of <all> kinds",
			Campaigns: []fixtures.Campaign{
				spring,
				{
					ID:    "2",
					Omit:  []string{"created_at", "updated_at"},
					Extra: map[string]any{"name": nil, "n": 1.5},
				},
			},
			Replies: []fixtures.Reply{
				{Status: 503, Headers: http.Header{"Retry-After": {"1"}}, Times: 2},
				{Body: map[string]any{"a": "b"}, Delay: &fixtures.Delay{To: time.Millisecond}},
			},
			RateLimit: &fixtures.RateLimit{Requests: 1000, Per: time.Hour},
		}
		for _, token := range []string{"alice", "a/b?c=d"} {
			srv.SetUser(token, user)
		}
		user.Campaigns[1].ID = "changed by the caller"
		for _, token := range []string{"alice", "a/b?c=d"} {
			check("after SetUser", token, "503", "503", `200 {"a":"b"}`,
				`"id":"2","name":null,"status":"scheduled","n":1.5}]}`)
		}
		srv.RemoveUser("alice")
		check("after RemoveUser", "alice", "401")
		srv.CheckRequests(t, "alice", 5)
		srv.ResetAll()
		srv.CheckRequests(t, "alice", 0)
		if requests := srv.Requests(); len(requests) != 0 {
			t.Errorf("the journal after ResetAll has %d requests", len(requests))
		}
		check("after ResetAll", "alice", `200 {"campaigns":[]}`)
		check("after ResetAll", "a/b?c=d", "401")
	}, fake.WithUser("alice", fixtures.User{}))
}

// A change that is not valid changes nothing. It is an error, and fails the test.
func TestRefusedChanges(t *testing.T) {
	t.Parallel()
	setUser := func(u fixtures.User) func(*fake.Server) error {
		return func(srv *fake.Server) error { return srv.SetUser("alice", u) }
	}
	enqueue := func(token string, replies ...fixtures.Reply) func(*fake.Server) error {
		return func(srv *fake.Server) error { return srv.Enqueue(token, replies...) }
	}
	for name, tt := range map[string]struct {
		change   func(srv *fake.Server) error
		call     string
		mistakes int
		want     string
	}{
		"a delay": {
			setUser(fixtures.User{Delay: &fixtures.Delay{Fixed: -1}}),
			"SetUser", 1, "users.alice.delay: -1ns is negative",
		},
		"a campaign": {
			change: setUser(fixtures.User{
				Campaigns: []fixtures.Campaign{{Omit: []string{"nme"}}},
			}),
			call:     "SetUser",
			mistakes: 1,
			want: `users.alice.campaigns[0].omit[0]: "nme" is not known here; ` +
				`did you mean name?`,
		},
		"a count": { // with ids of one digit
			setUser(fixtures.User{Generate: &fixtures.Generate{Count: 11}}),
			"SetUser", 1, "count",
		},
		"nobody": {
			func(srv *fake.Server) error { return srv.RemoveUser("bob") },
			"RemoveUser", 0, `no user has the token "bob"`,
		},
		"no user": {
			enqueue("bob", fixtures.Reply{}),
			"Enqueue", 0, `no user has the token "bob"`,
		},
		"a status": {
			change:   enqueue("alice", fixtures.Reply{}, fixtures.Reply{Status: 204, Body: ""}),
			call:     "Enqueue",
			mistakes: 1,
			want: "users.alice.replies[1].body: cannot stand beside status 204, " +
				"which has no body",
		},
		"never played": {
			change:   enqueue("alice", fixtures.Reply{Times: fixtures.Always}, fixtures.Reply{}),
			call:     "Enqueue",
			mistakes: 1,
			want: "users.alice.replies[0].times: is played always, so that the replies after " +
				"it never are",
		},
		"too many": {
			enqueue("alice", make([]fixtures.Reply, 1001)...),
			"Enqueue", 1, "1000",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var told recorder
			defer told.finish()
			srv := fake.NewTestServer(&told,
				fake.WithUser("alice", fixtures.User{}),
				fake.WithService(fixtures.Service{IDs: "c#"}))
			err := tt.change(srv)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("the error is %v, want %s", err, tt.want)
			}
			if want := fmt.Sprintf("campaignfake: %s: %s", tt.call, err); told.text() != want {
				t.Errorf("the test is told %s, want %s", told.text(), want)
			}
			var mistakes *fixtures.Mistakes
			found := 0
			if errors.As(err, &mistakes) {
				found = len(mistakes.List)
			}
			if found != tt.mistakes {
				t.Errorf("the mistakes are %+v, want %d", mistakes, tt.mistakes)
			}
			if status, body := list(t, srv, "alice"); status != 200 || body != `{"campaigns":[]}` {
				t.Errorf("after a refusal, the answer is %d %s", status, body)
			}
		})
	}
}
