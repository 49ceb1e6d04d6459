package fake_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// The token of a login is masked in the log, also when it was made like a user while the server ran,
// or when a test has learnt it. A token that fixtures or a test have chosen is shown.
func TestLogHasNoTokenOfALogin(t *testing.T) {
	t.Parallel()
	const login = "eyJhbGciOiJIUzI1NiJ9.e30.s3cr3t"
	like := fixtures.User{Like: "demo"}
	set := func(token string, user fixtures.User) func(t *testing.T, srv *fake.Server) {
		return func(t *testing.T, srv *fake.Server) { srv.SetUser(token, user) }
	}
	nothing := func(t *testing.T, srv *fake.Server) {}
	for name, tt := range map[string]struct {
		before func(t *testing.T, srv *fake.Server)
		sent   string
		want   string
	}{
		"unknown": {nothing, login, "eyJh…"},
		"made like a user": {
			before: set(login, like),
			sent:   login,
			want:   "eyJh…",
		},
		"made like a user over HTTP": {
			before: func(t *testing.T, srv *fake.Server) {
				steer(t, srv, "PUT", "users?token="+login, `{"like":"demo"}`)
			},
			sent: login,
			want: "eyJh…",
		},
		"like one that was made like a user": {
			before: set(login, like),
			sent:   login + "~1",
			want:   "eyJh…",
		},
		"learnt, with a reply": {
			before: func(t *testing.T, srv *fake.Server) {
				srv.For(t).WithToken(login).Enqueue(fixtures.Reply{})
			},
			sent: login,
			want: "eyJh…",
		},
		"learnt, behind a user": {
			before: func(t *testing.T, srv *fake.Server) { srv.For(t).WithToken(login) },
			sent:   "demo~" + login,
			want:   "demo…",
		},
		"of the fixtures":               {nothing, "tired", "tired"},
		"like one of the fixtures":      {nothing, "tired~1", "tired~1"},
		"of the fixtures, and replaced": {set("demo", fixtures.User{Like: "other"}), "demo", "demo"},
		"of a test":                     {set("TestX@run-1", like), "TestX@run-1", "TestX@run-1"},
		"with campaigns of its own":     {set("alice", fixtures.User{}), "alice", "alice"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log strings.Builder
			srv := fake.NewTestServer(t,
				logTo(&log),
				fake.WithLenient(),
				fake.WithService(fixtures.Service{UnknownTokens: fixtures.UnknownTokensGenerate}),
				fake.WithUser("demo", fixtures.User{}),
				fake.WithUser("other", fixtures.User{}),
				fake.WithUser("tired", fixtures.User{Like: "other"}),
			)
			tt.before(t, srv)
			statuses(t, srv, tt.sent, 1)
			if want := fmt.Sprintf(" token=%s ", tt.want); !strings.Contains(log.String(), want) {
				t.Errorf("the log is %s, want%sin it", &log, want)
			}
		})
	}
}
