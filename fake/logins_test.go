package fake_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// login is a token that an app gets when somebody logs in.
const login = "eyJhbGciOiJIUzI1NiJ9.e30.s3cr3t"

// The token of a login is masked in the log, also when something was given for it while the server
// ran. A token that somebody has chosen is shown.
func TestLogHasNoTokenOfALogin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		given string // a call over HTTP; {} stands for a user or a reply
		sent  string
		want  string
	}{
		{"", login, "eyJh…"},
		{"PUT users?like=demo&token=" + login, login, "eyJh…"},
		{"PUT users?token=" + login + " {}", login, "eyJh…"},
		{"POST replies?token=" + login + " {}", login, "eyJh…"},
		{"PUT users?token=" + login + " {}", login + "~alice", "eyJh…"},
		{"PUT users?like=demo&token=" + login, login + "~1", "eyJh…"},
		{"PUT users?token=7~AbCdEfGhIjKlMnOpQr {}", "7~AbCdEfGhIjKlMnOpQr", "7~Ab…"},
		{"POST replies?token=7~AbCdEfGhIjKlMnOpQr {}", "7~AbCdEfGhIjKlMnOpQr", "7~Ab…"},
		{"PUT users?token=AbCdEfGhIjKlMnOpQr~ {}", "AbCdEfGhIjKlMnOpQr~", "AbCd…"},
		{"PUT users?token=sixteen-letters- {}", "sixteen-letters-", "sixt…"},
		{"", "shows-the-list~4f0c", "show…"},

		{"PUT users?token=fifteen-letters {}", "fifteen-letters", "fifteen-letters"},
		{"PUT users?token=alice {}", "alice~" + login, "alice~" + login},
		{"PUT users?token=shows-the-list~4f0c {}", "shows-the-list~4f0c", "shows-the-list~4f0c"},
		{"POST replies?token=shows-the-list~4f0c {}", "shows-the-list~4f0c", "shows-the-list~4f0c"},
		{"PUT users?like=demo&token=TestX-of-all~4f0c", "TestX-of-all~4f0c", "TestX-of-all~4f0c"},
		{"PUT users?like=demo&token=customer-of-fixtures", "customer-of-fixtures~1",
			"customer-of-fixtures~1"},
	} {
		expectLogged(t, tt.sent, tt.want, func(srv *fake.Server) {
			if tt.given == "" {
				return
			}
			method, rest, _ := strings.Cut(tt.given, " ")
			path, body, _ := strings.Cut(rest, " ")
			steer(t, srv, method, path, body)
		})
	}
	for _, tt := range []struct {
		give func(srv *fake.Server)
		sent string
		want string
	}{
		{func(srv *fake.Server) { srv.SetUserLike(login, "demo") }, login, "eyJh…"},
		{func(srv *fake.Server) { srv.Enqueue(login, fixtures.Reply{}) }, login, "eyJh…"},
		{func(srv *fake.Server) { srv.SetUser("customer-of-go-code", fixtures.User{}) },
			"customer-of-go-code", "customer-of-go-code"},
	} {
		expectLogged(t, tt.sent, tt.want, tt.give)
	}
}

// expectLogged fails unless the line of a request shows its token as wanted.
func expectLogged(t *testing.T, sent, want string, give func(srv *fake.Server)) {
	t.Helper()
	var log strings.Builder
	srv := fake.NewTestServer(t,
		logTo(&log),
		fake.WithLenient(),
		fake.WithService(fixtures.Service{UnknownTokens: fixtures.UnknownTokensGenerate}),
		fake.WithUser("demo", fixtures.User{}),
		fake.WithUser("customer-of-fixtures", fixtures.User{}),
	)
	give(srv)
	statuses(t, srv, sent, 1)
	expect(t, log.String(), " token="+want+" ")
}

// The token of a login is suggested to nobody, and a token that is nearly the same is masked, too.
func TestLogHasNoTokenNearALogin(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	srv := fake.NewTestServer(t, logTo(&log), fake.WithUser("demo", fixtures.User{}))
	steer(t, srv, "PUT", "users?like=demo&token="+login, "")
	statuses(t, srv, `"`+login+`"`, 1)
	expect(t, log.String(), `token="\"eyJ…" `, `reason="no user has this token"`)
}

// The command logs the tally when it stops. So the tally masks the tokens that the log masks.
func TestTallyHasNoTokenOfALogin(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient())
	for _, token := range []string{login, "alice"} {
		steer(t, srv, "PUT", "users?token="+token, `{"replies":[{"status":500}]}`)
	}
	want := []string{
		`of token "eyJh…": reply 1 of 1 (500): never played`,
		`of token "alice": reply 1 of 1 (500): never played`,
	}
	if got := srv.Tally().Unplayed; !slices.Equal(got, want) {
		t.Errorf("unplayed are\n%q\nwant\n%q", got, want)
	}
}
