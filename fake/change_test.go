package fake_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Users are set, replaced and removed, and put back at a reset.
func TestUsersChange(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fixtures.User{}))
	expectList := func(when, token, want string) {
		t.Helper()
		status, body := list(t, srv, token)
		if got := fmt.Sprint(status, " ", body); !strings.HasPrefix(got, want) {
			t.Errorf("%s, %s is answered %s, want %s", when, token, got, want)
		}
	}
	const odd = "a/b?c=d"
	user := fixtures.User{
		Campaigns: []fixtures.Campaign{{
			Omit:  []string{"id", "status", "created_at", "updated_at"},
			Extra: map[string]any{"name": nil, "n": 1.5},
		}},
		Replies: []fixtures.Reply{{Status: 503, Times: 2}, {Body: map[string]any{"a": "b"}}},
	}
	for _, token := range []string{"alice", odd} {
		srv.SetUser(token, user)
	}
	user.Campaigns[0].Extra["n"] = "changed by the caller"
	for _, token := range []string{"alice", odd} {
		for _, want := range []string{
			"503", "503", `200 {"a":"b"}`, `200 {"campaigns":[{"name":null,"n":1.5}]}`,
		} {
			expectList("after SetUser", token, want)
		}
	}
	srv.RemoveUser("alice")
	expectList("after RemoveUser", "alice", "401")
	srv.CheckRequests(t, "alice", 5)
	srv.ResetAll()
	srv.CheckRequests(t, "alice", 0)
	expectList("after ResetAll", "alice", `200 {"campaigns":[]}`)
	expectList("after ResetAll", odd, "401")
}

// A change that is not valid changes nothing. It is an error, and fails the test.
func TestRefusedChanges(t *testing.T) {
	t.Parallel()
	for call, tt := range map[string]struct {
		change func(srv *fake.Server) error
		want   string
	}{
		"SetUser": {
			func(srv *fake.Server) error {
				return srv.SetUser("alice", fixtures.User{Delay: &fixtures.Delay{Fixed: -1}})
			},
			"users.alice.delay: -1ns is negative",
		},
		"RemoveUser": {
			func(srv *fake.Server) error { return srv.RemoveUser("bob") },
			`no user has the token "bob"`,
		},
		"Enqueue": {
			func(srv *fake.Server) error {
				return srv.Enqueue("alice", fixtures.Reply{}, fixtures.Reply{Status: 204, Body: ""})
			},
			"users.alice.replies[1].body: cannot stand beside status 204",
		},
	} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			var told recorder
			defer told.finish()
			srv := fake.NewTestServer(&told, fake.WithUser("alice", fixtures.User{}))
			err := tt.change(srv)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("the error is %v, want %s", err, tt.want)
			}
			if want := fmt.Sprintf("campaignfake: %s: %s", call, err); told.text() != want {
				t.Errorf("the test is told %s, want %s", told.text(), want)
			}
			if status, body := list(t, srv, "alice"); status != 200 || body != `{"campaigns":[]}` {
				t.Errorf("after a refusal, the answer is %d %s", status, body)
			}
		})
	}
}
