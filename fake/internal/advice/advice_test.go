package advice_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/internal/ring"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
)

const (
	baseURL = "http://fake.test/api"
	listURL = baseURL + "/user/campaigns"
	page    = "http://localhost:5173"
)

// newAdviser returns an adviser for the users it's, null and demo, and a setting of CORS.
func newAdviser(t *testing.T, cors ...string) *advice.Adviser {
	t.Helper()
	return advice.New(newSnapshot(t, cors...), []string{"it's", "null", "demo"}, baseURL, false)
}

// newSnapshot returns a snapshot with a setting of CORS.
func newSnapshot(t *testing.T, cors ...string) *plan.Snapshot {
	t.Helper()
	snapshot, err := plan.NewSnapshot(plan.NewSetup([]func(*plan.Setup){func(s *plan.Setup) {
		s.AddSettings(fixtures.Service{CORS: cors}, nil)
		s.Upstream = &url.URL{Scheme: "https", Host: "upstream.test"}
	}}))
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

// wrongPath returns the finding about a request for a path that the service does not have.
func wrongPath(path string) reason.WrongPath {
	return reason.NewWrongPath(httptest.NewRequest("GET", path, nil), "/api")
}

// A wrong request has advice, with a command that works in a shell.
func TestAdvice(t *testing.T) {
	t.Parallel()
	placeholder := reason.Placeholder{What: "the token is the word null", Why: "which is why"}
	command := func(token string) string {
		return "curl -H 'Authorization: Bearer " + token + "' '" + listURL + "'"
	}
	const example = `it'\''s`
	const onePath = "\nThe service has one path: the base URL, and /user/campaigns after it. " +
		"Check the base URL that the app is given: " + baseURL
	for name, tt := range map[string]struct {
		token string
		found reason.Finding
		want  journal.Advice
	}{
		"an unknown token": {
			token: "bob",
		},
		"no header": {
			found: reason.NoHeader,
		},
		"no scheme": {
			found: reason.NoScheme,
			want: journal.Advice{
				Title: "The Authorization header has no bearer token",
				Text: "The Authorization header has no scheme: the word Bearer is missing before " +
					"the token. Send Authorization: Bearer <token>.",
				Command: command(example),
			},
		},
		"a placeholder": {
			token: "undefined",
			found: placeholder,
			want: journal.Advice{
				Title: "The token is the word null",
				Text: "The token is the word null, which is why. " +
					"Send Authorization: Bearer <token>.",
			},
		},
		"a placeholder that a user has by now": {
			token: "null",
			found: placeholder,
		},
		"a token that is nearly right": {
			token: "dmeo",
			found: reason.NearToken{Near: "demo"},
			want: journal.Advice{
				Title:   "The token is nearly demo",
				Text:    "No user has the token that was sent. Did you mean demo?",
				Command: command("demo"),
			},
		},
		"run of nobody": {
			token: "bob~1",
			found: reason.RunOfNobody{Name: `"bob"`},
			want: journal.Advice{
				Title: `No user has the token "bob"`,
				Text: "A token with a tilde sees what the token before the tilde sees. " +
					`Name a user that is there, in Playwright by campaigns.like("it's").`,
				Command: command(example + "~1"),
			},
		},
		"the token of a test without a user": {
			token: "TestList~kd7fj2ma4x",
			found: reason.TestWithoutUser{},
			want: journal.Advice{
				Title: "No user has the token of this test",
				Text: "No user was set for this test: call SetUser on the client that For " +
					`returned, or send the token of its Like("flaky").`,
			},
		},
		"a path that is nearly right": {
			token: "bob",
			found: wrongPath("/user/campaigns"),
			want: journal.Advice{
				Title: "Matched nothing",
				Text: "The path /user/campaigns is nearly right, but the base path /api " +
					"is missing." + onePath,
				Command: command("bob"),
			},
		},
		"another path, without a token": {
			found: wrongPath("/login"),
			want: journal.Advice{
				Title: "Matched nothing",
				Text: "The path is /login." + onePath + "\nFor the rest of the API, " +
					"start the server with --upstream and the URL of the real one.",
				Command: command(example),
			},
		},
		"another method": {
			token: "bob",
			found: reason.WrongMethod{Method: "POST"},
			want: journal.Advice{
				Title:   "Matched nothing",
				Text:    "The path is right. The method is POST, and has to be GET.",
				Command: command("bob"),
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entry := &ring.Entry{Request: journal.Request{Token: tt.token}, Finding: tt.found}
			if got := newAdviser(t).On(entry); got != tt.want {
				t.Errorf("the advice is\n%+v\nwant\n%+v", got, tt.want)
			}
		})
	}
}

// keptBack is the title of the advice on an answer that a page cannot read.
const keptBack = "CORS: the page may not read the answer"

// ofPage returns the entry of a request of a page. The answer has no header of CORS.
func ofPage(origin string) *ring.Entry {
	return &ring.Entry{
		Request: journal.Request{
			Token:  "it's",
			Method: "GET",
			Status: 200,
			Header: http.Header{"Origin": {origin}},
			Answer: journal.Answer{Header: http.Header{}},
		},
	}
}

// An answer that a browser keeps from its page comes with the setting that lets the page read it.
func TestAdviceOnCORS(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		cors          []string
		origin        string
		flag, fixture string
	}{
		"off": {
			[]string{"off"}, page,
			"'" + page + "', or write it in the fixtures.",
			`["` + page + `"]`,
		},
		"another": {
			[]string{"http://a.test"}, page,
			"'http://a.test," + page + "', or write it in the fixtures.",
			`["http://a.test","` + page + `"]`,
		},
		"of a file": {
			[]string{"off"}, "null",
			"'any', or write it in the fixtures, since a page that was opened from a file has no " +
				"origin to list.",
			`["any"]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := newAdviser(t, tt.cors...).On(ofPage(tt.origin))
			text := "service.cors is " + tt.cors[0] + ", so the browser keeps the answer " +
				"from the page of " + tt.origin + ", which sees a network error.\n" +
				"Start the server with --cors " + tt.flag
			if got.Title != keptBack || got.Text != text {
				t.Errorf("the advice is %+v, want\n%s", got, text)
			}
			if want := "service: {cors: " + tt.fixture + "}"; got.Fixture != want {
				t.Errorf("the fixture is %s, want %s", got.Fixture, want)
			}
		})
	}
}

// In a Go test, the advice names the option that lets the page read the answer.
func TestAdviceOnCORSInGo(t *testing.T) {
	t.Parallel()
	adviser := advice.New(newSnapshot(t, "http://a.test"), nil, baseURL, true)
	const want = `service.cors is http://a.test, so the browser keeps the answer from the page of ` +
		page + `, which sees a network error.
Give the server fake.WithService(fixtures.Service{CORS: []string{"http://a.test", "` + page +
		`"}}), or write it in the fixtures.`
	if got := adviser.On(ofPage(page)).Text; got != want {
		t.Errorf("the advice is\n%s\nwant\n%s", got, want)
	}
}

// There is no advice on an answer that the page can read, on a request that no page has sent, or on
// a request without an answer.
func TestNoAdviceOnCORS(t *testing.T) {
	t.Parallel()
	const site = "Sec-Fetch-Site"
	for name, tt := range map[string]struct {
		cors   string
		change func(r *journal.Request)
		title  string
	}{
		"a preflight": {
			cors:   "off",
			change: func(r *journal.Request) { r.Method = "OPTIONS" },
			title:  "CORS: the preflight was refused",
		},
		"any by now": {"any", func(r *journal.Request) {}, ""},
		"no page":    {"off", func(r *journal.Request) { r.Header = nil }, ""},
		"its own page": {
			cors:   "off",
			change: func(r *journal.Request) { r.Header.Set(site, "same-origin") },
			title:  "",
		},
		"no answer": {"off", func(r *journal.Request) { r.Status = 0 }, ""},
		"allowed": {"off", func(r *journal.Request) {
			r.Answer.Header.Set("Access-Control-Allow-Origin", "*")
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entry := ofPage(page)
			tt.change(&entry.Request)
			if got := newAdviser(t, tt.cors).On(entry).Title; got != tt.title {
				t.Errorf("the advice is %q, want %q", got, tt.title)
			}
		})
	}
}

// passedOn returns the entry of a request of a page at some origin and site. The upstream has
// answered it with a cookie.
func passedOn(origin, site, cookie string) *ring.Entry {
	entry := ofPage(origin)
	entry.Request.Token = ""
	entry.Request.PassedOn = true
	entry.Request.Header.Set("Sec-Fetch-Site", site)
	entry.Request.Answer.Header.Set("Access-Control-Allow-Origin", origin)
	entry.Request.Answer.Header.Set("Set-Cookie", cookie)
	return entry
}

// A cookie that the browser does not keep, because page and server have names of different hosts,
// comes with the base URL to write.
func TestAdviceOnCookies(t *testing.T) {
	t.Parallel()
	const cookie = "sid=…; HttpOnly; SameSite=Lax"
	const write = "Give the app a base URL with the host name of the page: http://localhost/api"
	const open = "Open the page at the host name of its base URL."
	for name, tt := range map[string]struct {
		entry *ring.Entry
		want  string // the last line of the advice, "" for no advice
	}{
		"another site":     {passedOn(page, "cross-site", cookie), write},
		"another machine":  {passedOn("http://app.test", "cross-site", cookie), open},
		"the same site":    {passedOn(page, "same-site", cookie), ""},
		"no cookie":        {passedOn(page, "cross-site", ""), ""},
		"a removed cookie": {passedOn(page, "cross-site", "sid=; Max-Age=0"), ""},
		"of all sites":     {passedOn(page, "cross-site", "sid=…; Secure; SameSite=None"), ""},
		"of a path": {
			entry: passedOn(page, "cross-site", "sid=…; Path=/secure; SameSite=None"),
			want:  write,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			advice := newAdviser(t, "local").On(tt.entry)
			lines := strings.Split(advice.Text, "\n")
			if got := lines[len(lines)-1]; got != tt.want {
				t.Errorf("the advice is %+v, want %q", advice, tt.want)
			}
			wantTitle := ""
			if tt.want != "" {
				wantTitle = "The browser does not keep the cookie sid"
			}
			if advice.Title != wantTitle {
				t.Errorf("the title is %q, want %q", advice.Title, wantTitle)
			}
		})
	}
}

// An upstream that is asked over HTTP redirects the app to HTTPS. The advice is to ask it over
// HTTPS.
func TestAdviceOnRedirectToHTTPS(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		scheme, location string
		title            string
	}{
		"to HTTPS":        {"http", "https://api.test/v1/me", "The upstream redirects to HTTPS"},
		"to another host": {"http", "https://login.test/", ""},
		"from HTTPS":      {"https", "https://api.test:444/", ""},
		"to no URL":       {"http", "https://api.test:https/", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entry := passedOn(page, "same-site", "")
			entry.Request.Status = http.StatusMovedPermanently
			entry.Request.Answer.Header.Set("Location", tt.location)
			snapshot := newSnapshot(t, "local")
			snapshot.Upstream = &url.URL{Scheme: tt.scheme, Host: "api.test"}
			adviser := advice.New(snapshot, nil, baseURL, false)
			if got := adviser.On(entry).Title; got != tt.title {
				t.Errorf("the advice is %q, want %q", got, tt.title)
			}
		})
	}
}

// The upstream refuses the token of a user of this server. The advice has the command that gives
// the token of a login the same user.
func TestAdviceOnARefusedToken(t *testing.T) {
	t.Parallel()
	const command = `curl -X PUT ` +
		`'http://fake.test/_fake/users?token=TOKEN_OF_THE_LOGIN&like=demo'`
	for name, tt := range map[string]struct {
		token   string
		status  int
		command string
	}{
		"401":                {"demo", http.StatusUnauthorized, command},
		"403":                {"demo", http.StatusForbidden, command},
		"another status":     {"demo", http.StatusNotFound, ""},
		"a token of a login": {"login", http.StatusUnauthorized, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entry := passedOn(page, "same-site", "")
			entry.Request.Token = tt.token
			entry.Request.Status = tt.status
			if got := newAdviser(t, "local").On(entry).Command; got != tt.command {
				t.Errorf("the command is %q, want %q", got, tt.command)
			}
		})
	}
}

// An answer of the upstream that a browser hides from its page has the same advice as any other
// answer.
func TestAdviceOnCORSOfTheUpstream(t *testing.T) {
	t.Parallel()
	entry := passedOn("http://app.test", "cross-site", "")
	entry.Request.Answer.Header = http.Header{}
	if got := newAdviser(t, "local").On(entry).Title; got != keptBack {
		t.Errorf("the advice is %q, want %q", got, keptBack)
	}
}

// A fallback may refuse what it likes, and redirect to where it likes. Advice is only about what a
// browser does with the answer.
func TestAdviceOnAFallback(t *testing.T) {
	t.Parallel()
	snapshot := newSnapshot(t, "local")
	snapshot.Upstream = nil
	adviser := advice.New(snapshot, []string{"demo"}, baseURL, false)
	entry := passedOn(page, "same-site", "")
	entry.Request.Token = "demo"
	entry.Request.Status = http.StatusUnauthorized
	entry.Request.Answer.Header.Set("Location", "https://login.test/")
	if got := adviser.On(entry).Title; got != "" {
		t.Errorf("the advice is %q", got)
	}
	entry = passedOn("http://app.test", "cross-site", "")
	entry.Request.Answer.Header = http.Header{}
	if got := adviser.On(entry).Title; got != keptBack {
		t.Errorf("the advice is %q, want %q", got, keptBack)
	}
}

// Advice on the token comes before advice on CORS.
func TestTokenBeforeCORS(t *testing.T) {
	t.Parallel()
	entry := ofPage(page)
	entry.Request.Token = "dmeo"
	entry.Finding = reason.NearToken{Near: "demo"}
	if got, want := newAdviser(t, "off").On(entry).Title, "The token is nearly demo"; got != want {
		t.Errorf("the advice is %q, want %q", got, want)
	}
}

// A request is described on one line, with its token, or with the reason why it has no token.
func TestDescribe(t *testing.T) {
	t.Parallel()
	for authorization, want := range map[string]string{
		"Bearer alice": `GET /api?a=b with token "alice"`,
		"alice": "GET /api?a=b " +
			"(the Authorization header has no scheme: the word Bearer is missing before the token)",
	} {
		r := httptest.NewRequest("GET", "/api?a=b", nil)
		r.Header.Set("Authorization", authorization)
		if got := advice.Describe(r); got != want {
			t.Errorf("it is described as\n%s\nwant\n%s", got, want)
		}
	}
}
