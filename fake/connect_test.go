package fake_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A base URL that the server does not have would turn every request into a 404,
// so that Connect refuses it at once.
func TestConnectComparesTheBasePath(t *testing.T) {
	t.Parallel()
	_, root := elsewhere(t)
	for _, path := range []string{"/v1", "", "/api/v2", "/API"} {
		told := ended(t, func(tb *recorder) { fake.Connect(tb, root+path) })
		if want := root + "/api, and not " + root + path; !strings.HasSuffix(told, want) {
			t.Errorf("the test is told %q, want %q", told, want)
		}
	}
}

// A server that is not there, cannot be controlled, or is something else ends the test.
// One that is gone fails it, and every call returns the error.
func TestConnectToNobody(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	closed := fake.NewTestServer(t, fake.WithoutControl())
	secured := strings.Replace(fake.NewTestServer(t, fake.WithTLS()).BaseURL(), "https", "http", 1)
	for baseURL, want := range map[string]string{
		secured:                     "Client sent an HTTP request to an HTTPS server",
		"127.0.0.1:8642":            `"127.0.0.1:8642" is not the URL of a server; write one as http://127.0.0.1:8642/api`,
		"ftp://127.0.0.1":           "is not the URL of a server",
		"http://127.0.0.1:1/api":    "no server answers at http://127.0.0.1:1 (",
		other.URL + "/api":          "GET /_fake/health answers 404 Not Found",
		closed.BaseURL():            "the control plane is off at ",
		"http://campaigns.invalid/": "no server answers at http://campaigns.invalid (",
	} {
		if told := ended(t, func(tb *recorder) { fake.Connect(tb, baseURL) }); !strings.Contains(told, want) {
			t.Errorf("of %s, the test is told %s; want %s", baseURL, told, want)
		}
	}
	outer := httptest.NewServer(newHandler(t))
	var tb recorder
	client := fake.Connect(&tb, outer.URL+"/api")
	outer.Close()
	_, listing := client.Requests()
	for call, err := range map[string]error{
		"SetUser": client.SetUser("alice", fixtures.User{}), "RemoveUser": client.RemoveUser("alice"), "Enqueue": client.Enqueue("alice", fixtures.Reply{}),
		"Reset": client.Reset("alice"), "ResetAll": client.ResetAll(), "ClearRequests": client.ClearRequests(), "Requests": listing,
		"AwaitRequests": client.AwaitRequests(t.Context(), "alice", 1), "AwaitAnswers": client.AwaitAnswers(t.Context(), "alice", 1),
	} {
		if err == nil || strings.Count(tb.text(), "campaignfake: "+call+": no server answers at "+outer.URL) != 1 {
			t.Errorf("%s returns %v, and the test is told %s", call, err, tb.text())
		}
	}
	client.CheckRequests(&tb, "alice", 0)
	if !strings.Contains(tb.text(), "campaignfake: CheckRequests: ") {
		t.Errorf("of CheckRequests the test is told %s", tb.text())
	}
}

// A proxy that sends requests on would make a GET of everything.
func TestConnectBehindARedirect(t *testing.T) {
	t.Parallel()
	handler := newHandler(t, fake.WithUser("alice", fixtures.User{}))
	var moved atomic.Bool
	outer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if moved.Load() {
			http.Redirect(w, r, "/elsewhere"+r.URL.Path, http.StatusMovedPermanently)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer outer.Close()
	var tb recorder
	client := fake.Connect(&tb, outer.URL+"/api//")
	if got, want := client.BaseURL(), outer.URL+"/api"; got != want {
		t.Errorf("the base URL is %s, want %s", got, want)
	}
	moved.Store(true)
	for name, err := range map[string]error{"SetUser": client.SetUser("alice", fixtures.User{}), "Enqueue": client.Enqueue("alice", fixtures.Reply{})} {
		if err == nil || !strings.Contains(fmt.Sprint(err), "answers 301 Moved Permanently") {
			t.Errorf("%s behind a redirect returns %s", name, fmt.Sprint(err))
		}
	}
}

// When its test ends, a client puts back what it has changed, and nothing else.
func TestConnectPutsBack(t *testing.T) {
	t.Parallel()
	handler, root := elsewhere(t, fake.WithUser("alice", fixtures.User{Campaigns: []fixtures.Campaign{spring}}), fake.WithUser("bob", fixtures.User{}))
	handler.Enqueue("bob", fixtures.Reply{Status: 503})
	var tb recorder
	srv := fake.Connect(&tb, root+handler.BaseURL(), fake.WithLenient())
	srv.SetUser("alice", fixtures.User{})
	srv.SetUser("carol", fixtures.User{})
	srv.Enqueue("alice", fixtures.Reply{Status: 500})
	if status, body := list(t, remote{srv}, "carol"); status != 200 || body != `{"campaigns":[]}` {
		t.Errorf("while the test runs, the server answers %d %s", status, body)
	}
	tb.finish()
	if text := tb.text(); text != "" {
		t.Error(text)
	}
	for token, want := range map[string]string{"alice": `"Spring`, "carol": "invalid_token", "bob": "503"} {
		response := record(handler, token)
		if got := fmt.Sprint(response.Code, response.Header(), response.Body); !strings.Contains(got, want) {
			t.Errorf("after the test, %s gets %s, want %s", token, got, want)
		}
	}
}

// What a test did with a token of its own fails it at its end, also with one that is like a
// user, unless it is lenient. What others did does not.
func TestConnectIsStrict(t *testing.T) {
	t.Parallel()
	handler, root := elsewhere(t, fake.WithUser("flaky", fixtures.User{Replies: []fixtures.Reply{{Status: 503, Times: fixtures.Always}}}))
	for name, tt := range map[string]struct {
		act  func(c *fake.Client)
		want string
	}{
		"all right":       {func(c *fake.Client) { through(t, c, listPath, "flaky~"+c.Token()) }, ""},
		"a wrong path":    {func(c *fake.Client) { through(t, c, "/api/users", c.Token()) }, "These matched nothing:\n\t1. GET /api/users"},
		"like a user":     {func(c *fake.Client) { through(t, c, "/api/users", "flaky~"+c.Token()) }, "These matched nothing:"},
		"a query":         {func(c *fake.Client) { through(t, c, listPath+"?page=2", c.Token()) }, "These have query parameters, and the service documents none:"},
		"another's token": {func(c *fake.Client) { through(t, c, "/api/users", "flaky") }, ""},
		"a reply":         {func(c *fake.Client) { c.SetUser(c.Token(), fixtures.User{Replies: []fixtures.Reply{{Status: 503}}}) }, "reply 1 of 1 (503): never played"},
		"one like a user": {func(c *fake.Client) { c.Enqueue("flaky~"+c.Token(), fixtures.Reply{Status: 503}) }, "(503): never played"},
	} {
		for _, lenient := range []bool{false, true} {
			options := []fake.ConnectOption(nil)
			if lenient {
				options, tt.want = []fake.ConnectOption{fake.WithLenient()}, ""
			}
			own := &named{name: "TestOwn"}
			c := fake.Connect(own, root+"/api", options...)
			if !strings.HasSuffix(c.Token(), "campaignfake-fake.TestOwn") {
				t.Errorf("the token is %s", c.Token())
			}
			handler.Enqueue("flaky", fixtures.Reply{Status: 500}) // which others owe
			tt.act(c)
			own.finish()
			if got := own.text(); got != "" && tt.want == "" || !strings.Contains(got, tt.want) {
				t.Errorf("%s, lenient %t: the test is told %q, want %q", name, lenient, got, tt.want)
			}
			if requests, _ := c.Requests(c.Token(), "flaky~"+c.Token()); len(requests) > 0 {
				t.Errorf("%s: after the test, its requests are %v", name, requests)
			}
			c.ResetAll()
		}
	}
}

// A token that is used is not given to another test: one of the same name that runs elsewhere, or
// was ended.
func TestConnectGivesNoUsedToken(t *testing.T) {
	t.Parallel()
	_, root := elsewhere(t)
	first := fake.Connect(&named{name: "TestOwn"}, root+"/api")
	through(t, first, listPath, first.Token())
	second := fake.Connect(&named{name: "TestOwn"}, root+"/api")
	through(t, second, listPath, second.Token())
	third := fake.Connect(&named{name: "TestOwn"}, root+"/api")
	if second.Token() != first.Token()+"@2" || third.Token() != first.Token()+"@3" {
		t.Errorf("the tokens are %s, %s and %s", first.Token(), second.Token(), third.Token())
	}
}
