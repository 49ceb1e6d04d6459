package fake_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// The token of a login is masked in the log, also when something was given for it while the server
// ran, or when a test has learnt it. A token that somebody has chosen is shown.
func TestLogHasNoTokenOfALogin(t *testing.T) {
	t.Parallel()
	const login = "eyJhbGciOiJIUzI1NiJ9.e30.s3cr3t"
	copyUser := func(token, user string) func(t *testing.T, srv *fake.Server) {
		return func(t *testing.T, srv *fake.Server) { srv.SetUserLike(token, user) }
	}
	set := func(token string, user fixtures.User) func(t *testing.T, srv *fake.Server) {
		return func(t *testing.T, srv *fake.Server) { srv.SetUser(token, user) }
	}
	put := func(token, user string) func(t *testing.T, srv *fake.Server) {
		return func(t *testing.T, srv *fake.Server) {
			steer(t, srv, "PUT", "users?token="+token, user)
		}
	}
	nothing := func(t *testing.T, srv *fake.Server) {}
	for name, tt := range map[string]struct {
		before func(t *testing.T, srv *fake.Server)
		sent   string
		want   string
	}{
		"unknown": {nothing, login, "eyJh…"},
		"with a copy": {
			before: copyUser(login, "demo"),
			sent:   login,
			want:   "eyJh…",
		},
		"with a copy over HTTP": {
			before: put(login+"&like=demo", ""),
			sent:   login,
			want:   "eyJh…",
		},
		"with a user of its own over HTTP": {
			before: put(login, `{"generate":{"count":2}}`),
			sent:   login,
			want:   "eyJh…",
		},
		"with a reply over HTTP": {
			before: func(t *testing.T, srv *fake.Server) {
				steer(t, srv, "POST", "replies?token="+login, `{}`)
			},
			sent: login,
			want: "eyJh…",
		},
		"with a reply in Go": {
			before: func(t *testing.T, srv *fake.Server) { srv.Enqueue(login, fixtures.Reply{}) },
			sent:   login,
			want:   "eyJh…",
		},
		"a run of one that nobody has chosen": {
			before: put(login, `{}`),
			sent:   login + "~alice",
			want:   "eyJh…",
		},
		"a run of a copy": {
			before: copyUser(login, "demo"),
			sent:   login + "~1",
			want:   "eyJh…",
		},
		"a run of a copy, with a reply": {
			before: func(t *testing.T, srv *fake.Server) {
				srv.SetUserLike(login, "demo")
				srv.Enqueue(login+"~1", fixtures.Reply{})
			},
			sent: login + "~1",
			want: "eyJh…",
		},
		"a secret behind a tilde, with a user over HTTP": {
			before: put("7~AbCdEfGhIjKlMnOpQr", `{}`),
			sent:   "7~AbCdEfGhIjKlMnOpQr",
			want:   "7~Ab…",
		},
		"a secret behind a tilde, with a reply": {
			before: func(t *testing.T, srv *fake.Server) {
				srv.Enqueue("7~AbCdEfGhIjKlMnOpQr", fixtures.Reply{})
			},
			sent: "7~AbCdEfGhIjKlMnOpQr",
			want: "7~Ab…",
		},
		"a secret that ends in a tilde": {
			before: put("AbCdEfGhIjKlMnOpQr~", `{}`),
			sent:   "AbCdEfGhIjKlMnOpQr~",
			want:   "AbCd…",
		},
		"learnt, with a reply": {
			before: func(t *testing.T, srv *fake.Server) {
				srv.For(t).WithToken(login).Enqueue(fixtures.Reply{})
			},
			sent: login,
			want: "eyJh…",
		},
		"of the fixtures":       {nothing, "tired", "tired"},
		"a run of the fixtures": {nothing, "tired~1", "tired~1"},
		"of the fixtures, and replaced": {
			before: copyUser("demo", "other"),
			sent:   "demo",
			want:   "demo",
		},
		"of a test, with a copy": {
			before: copyUser("TestX-of-all~run-1", "demo"),
			sent:   "TestX-of-all~run-1",
			want:   "TestX-of-all~run-1",
		},
		"with campaigns of its own": {set("alice", fixtures.User{}), "alice", "alice"},
		"long, and set in Go": {
			before: set("customer-with-a-long-name", fixtures.User{}),
			sent:   "customer-with-a-long-name",
			want:   "customer-with-a-long-name",
		},
		"short, over HTTP":     {put("fifteen-letters", `{}`), "fifteen-letters", "fifteen-letters"},
		"too long, over HTTP":  {put("sixteen-letters-", `{}`), "sixteen-letters-", "sixt…"},
		"a run of a short one": {put("alice", `{}`), "alice~" + login, "alice~" + login},
		"of a test, with a reply": {
			before: func(t *testing.T, srv *fake.Server) {
				steer(t, srv, "POST", "replies?token=shows-the-list~4f0c", `{}`)
			},
			sent: "shows-the-list~4f0c",
			want: "shows-the-list~4f0c",
		},
		"of a test of Playwright": {
			before: put("shows-the-list~4f0c", `{}`),
			sent:   "shows-the-list~4f0c",
			want:   "shows-the-list~4f0c",
		},
		"of a test without a reply": {nothing, "shows-the-list~4f0c", "show…"},
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
				fake.WithUser("tired", fixtures.User{}),
			)
			tt.before(t, srv)
			statuses(t, srv, tt.sent, 1)
			if want := fmt.Sprintf(" token=%s ", tt.want); !strings.Contains(log.String(), want) {
				t.Errorf("the log is %s, want%sin it", &log, want)
			}
		})
	}
}

// An app that sends the token of a login with quotation marks around it has made a mistake. The
// line says so, and has nothing of the token but its start.
func TestLogHasNoTokenNearALogin(t *testing.T) {
	t.Parallel()
	const login = "eyJhbGciOiJIUzI1NiJ9.e30.s3cr3t"
	var log strings.Builder
	srv := fake.NewTestServer(t,
		logTo(&log),
		fake.WithService(fixtures.Service{UnknownTokens: fixtures.UnknownTokensGenerate}),
		fake.WithUser("demo", fixtures.User{}),
	)
	steer(t, srv, "PUT", "users?like=demo&token="+login, "")
	statuses(t, srv, `"`+login+`"`, 1)
	line := log.String()
	if strings.Contains(line, "s3cr3t") || !strings.Contains(line, "level=WARN") ||
		!strings.Contains(line, `did you mean eyJh…?`) {
		t.Errorf("the log is %s", line)
	}
}

// The command logs the tally when it stops. So it masks the tokens that the log masks.
func TestTallyHasNoTokenOfALogin(t *testing.T) {
	t.Parallel()
	const login = "eyJhbGciOiJIUzI1NiJ9.e30.s3cr3t"
	srv := fake.NewTestServer(t,
		fake.WithLenient(),
		fake.WithService(fixtures.Service{UnknownTokens: fixtures.UnknownTokensGenerate}),
	)
	steer(t, srv, "POST", "replies?token="+login, `{"status":503}`)
	steer(t, srv, "POST", "replies?token=my-test-1", `{"status":500}`)
	steer(t, srv, "PUT", "users?token=alice", `{"replies":[{"status":500}]}`)
	want := []string{
		`of token "eyJh…": enqueued reply 1 of 1 (503): never played`,
		`of token "my-test-1": enqueued reply 1 of 1 (500): never played`,
		`of token "alice": reply 1 of 1 (500): never played`,
	}
	if got := srv.Tally().Unplayed; !slices.Equal(got, want) {
		t.Errorf("unplayed are\n%q\nwant\n%q", got, want)
	}
}
