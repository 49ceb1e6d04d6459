package fake_test

import (
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
)

// listed returns the requests that the control plane lists, the latest first.
func listed(t *testing.T, srv *fake.Server, query string) []journal.Request {
	t.Helper()
	return ofList[journal.Request](t, srv, "requests?"+query, "requests")
}

// A wrong request in the journal has advice, in Go and over HTTP, and a right request has none. The
// command in the advice works.
func TestAdvice(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("it's", fixtures.User{}))
	command := ` 'Authorization: Bearer it'\''s' '` + srv.BaseURL() + `/user/campaigns'`
	for _, tt := range []struct{ path, token, title string }{
		{listPath, "it's", ""},
		{listPath, "it''s", "The token is nearly it's"},
		{"/user/campaigns", "", "Matched nothing"},
		{listPath + "?page=2", "it's", "The query was ignored"},
	} {
		ask(t, srv, "GET", tt.path, bearer(tt.token))
		inGo, overHTTP := srv.Requests(tt.token), listed(t, srv, "")
		advice := inGo[len(inGo)-1].Advice
		if advice.Title != tt.title || overHTTP[0].Advice != advice {
			t.Errorf("the advice is %+v, and over HTTP %+v, want %q",
				advice, overHTTP[0].Advice, tt.title)
		}
		if tt.title != "" && advice.Command != "curl -H"+command {
			t.Errorf("the command is %s, want %s", advice.Command, command)
		}
	}
}

// The fixture of advice on CORS lets the page read answers. There is no advice any more when the
// setting allows the origin.
func TestAdviceOnCORSWorks(t *testing.T) {
	t.Parallel()
	cors := []string{"http://other.test"}
	srv := fake.NewTestServer(t, fake.WithLoader(func() (*fixtures.Set, error) {
		return &fixtures.Set{Service: fixtures.Service{CORS: cors}}, nil
	}))
	ask(t, srv, "OPTIONS", listPath, preflight(page))
	advice := srv.Requests()[0].Advice
	mended := fake.NewTestServer(t, fake.WithFixtures(files(advice.Fixture)))
	response, _ := ask(t, mended, "OPTIONS", listPath, preflight(page))
	if response.Header.Get("Access-Control-Allow-Origin") == "" {
		t.Errorf("with the fixture of %+v the preflight is refused", advice)
	}
	cors = []string{"any"}
	srv.Reload()
	if got := srv.Requests()[0].Advice; got != (journal.Advice{}) {
		t.Errorf("when it is allowed by now, the advice is %+v", got)
	}
}

// If a token is nearly the token of a current user, the reason, the advice and the log say so, and
// the log does not mask the token. The answer does not say so. When a user has got the token, there
// is no advice on it.
func TestNearTokens(t *testing.T) {
	t.Parallel()
	for _, unknown := range []string{"reject", "generate"} {
		var log strings.Builder
		srv := fake.NewTestServer(t, logTo(&log),
			fake.WithUser("removed-token", fixtures.User{}),
			fake.WithService(fixtures.Service{UnknownTokens: unknown}))
		list(t, srv, "zzzz") // before the users change
		srv.SetUser("later", fixtures.User{})
		srv.RemoveUser("removed-token")
		_, body := list(t, srv, "late")
		list(t, srv, "removed-tokenn")
		near, other := srv.Requests("late")[0], srv.Requests("removed-tokenn")[0]
		if !strings.HasSuffix(near.Reason, "; did you mean later?") ||
			near.Advice.Title != "The token is nearly later" ||
			strings.Contains(body, "did you mean") {
			t.Errorf("the answer is %s, the reason %s, and the advice %+v",
				body, near.Reason, near.Advice)
		}
		if strings.Contains(other.Reason, "did you mean") || other.Advice != (journal.Advice{}) {
			t.Errorf("of a user who is gone, the reason is %s", other.Reason)
		}
		if got := log.String(); !strings.Contains(got, "token=late ") ||
			strings.Contains(got, "removed") {
			t.Errorf("the log is %s", got)
		}
		srv.SetUser("late", fixtures.User{})
		if got := srv.Requests("late")[0].Advice; got != (journal.Advice{}) {
			t.Errorf("when a user has the token, the advice is %+v", got)
		}
	}
}

// A placeholder that programs send in place of a token is no secret, and the reason explains it. A
// user can have it as a token.
func TestPlaceholders(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	srv := fake.NewTestServer(t, logTo(&log), fake.WithUser("null", fixtures.User{}))
	statuses(t, srv, "null", 1)
	statuses(t, srv, "undefined", 1)
	requests := srv.Requests()
	if got := requests[0].Advice; got != (journal.Advice{}) {
		t.Errorf("on the token of a user, the advice is %+v", got)
	}
	if got := requests[1].Advice.Title; got != "The token is the word undefined" {
		t.Errorf("the advice is %+v", requests[1].Advice)
	}
	expect(t, log.String(), "token=undefined ")
}

// The lists say in words how the server answers a user, and how it answers unknown tokens.
func TestSummaries(t *testing.T) {
	t.Parallel()
	many := generated(250)
	many.Description = "a lot"
	many.Replies = []fixtures.Reply{{Times: 3}, {Status: 503, Times: fixtures.Always}}
	srv := fake.NewTestServer(t, fake.WithLenient(),
		fake.WithService(fixtures.Service{UnknownTokens: "generate"}), fake.WithUser("many", many))
	srv.Enqueue("many", fixtures.Reply{Fault: "reset"})
	for path, want := range map[string]string{
		"users": `{"unknown":{` +
			`"summary":"10 generated campaigns, always the same","normal_answer":"10 generated ` +
			`campaigns"},` +
			`"users":[{"token":"many","given":"start","description":"a lot","summary":"normal ` +
			`answer 3 times, then 503 always","normal_answer":"250 generated ` +
			`campaigns","requests":0,"waiting":1}]}`,
		"replies?token=many": `{"replies":[` +
			`{"reply":{"fault":"reset"},"played":0,"summary":"reset","enqueued":true},` +
			`{"reply":{"times":3},"played":0,"summary":"normal answer","enqueued":false},` +
			`{"reply":{"status":503,"times":"always"},"played":0,"summary":"503",` +
			`"enqueued":false}]}`,
	} {
		if _, answer := steer(t, srv, "GET", path, ""); answer != want {
			t.Errorf("%s is answered %s, want %s", path, answer, want)
		}
	}
}
