package fake_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// newUpstream starts a stand-in for the real API. Its answers repeat the request.
func newUpstream(t *testing.T) *url.URL {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "real "+r.Method+" "+r.RequestURI)
	}))
	t.Cleanup(server.Close)
	api, err := url.Parse(server.URL + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	return api
}

var fromUpstream = fake.WithService(fixtures.Service{
	UnknownTokens: fixtures.UnknownTokensUpstream,
})

// Where a request is answered depends on its path, its method, and its token.
func TestUpstreamOrFake(t *testing.T) {
	t.Parallel()
	api := newUpstream(t)
	for _, tt := range []struct {
		method, path, token string
		want                string // the start of the answer's body
	}{
		{"GET", "/api/profile?a=1;b", "", "real GET /v1/profile?a=1;b"},
		{"GET", "/oauth/token", "", "real GET /oauth/token"},
		{"POST", listPath, "alice", "real POST /v1/user/campaigns"},
		{"GET", listPath, "login", "real GET /v1/user/campaigns"},
		{"GET", "/", "login", "real GET /"},
		{"GET", "/", "", "<!DOCTYPE html>"},
		{"GET", "/_fake/health", "", `{"ready":true`},
		{"GET", listPath, "alice~1", `{"campaigns":[]}`},
		{"GET", listPath, "", `{"type":"about:blank","title":"Unauthorized"`},
		{"GET", listPath + "/", "login", `{"type":"about:blank","title":"Not Found"`},
	} {
		srv := fake.NewTestServer(t, fake.WithUpstream(api), fromUpstream,
			fake.WithUser("alice", fixtures.User{}), fake.WithLenient())
		var header http.Header
		if tt.token != "" {
			header = bearer(tt.token)
		}
		_, body := ask(t, srv, tt.method, tt.path, header)
		isPassedOn := srv.Tally().PassedOn == 1
		if !strings.HasPrefix(body, tt.want) || isPassedOn != strings.HasPrefix(tt.want, "real") {
			t.Errorf("%s %s of %q is answered %s, want %s; it is passed on: %t",
				tt.method, tt.path, tt.token, body, tt.want, isPassedOn)
		}
	}
}

// A reply for a token of the upstream is the fake's, unless it is only a delay.
func TestUpstreamWithReplies(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUpstream(newUpstream(t)), fromUpstream)
	srv.Enqueue("login",
		fixtures.Reply{Headers: http.Header{"X-A": {"b"}}},
		fixtures.Reply{Delay: &fixtures.Delay{Fixed: time.Nanosecond}},
	)
	_, shown := steer(t, srv, "GET", "users?token=login", "")
	expect(t, shown, `"summary":"the answer of the upstream"`)
	for _, want := range []string{`{"campaigns":[]}`, "real GET /v1/user/campaigns"} {
		_, body := ask(t, srv, "GET", listPath, bearer("login"))
		if body != want {
			t.Errorf("the answer is %s, want %s", body, want)
		}
	}
	reason := srv.Requests("login")[1].Reason
	if !strings.HasPrefix(reason, "enqueued: delay 1ns; passed on to ") {
		t.Errorf("the reason is %s", reason)
	}
}

// When Close returns, no connection to the upstream is open any more.
func TestCloseEndsConnectionsToTheUpstream(t *testing.T) {
	t.Parallel()
	closed := make(chan bool, 1)
	api := httptest.NewUnstartedServer(http.NotFoundHandler())
	api.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closed <- true
		}
	}
	api.Start()
	t.Cleanup(api.Close)
	base, _ := url.Parse(api.URL)
	srv := fake.NewTestServer(t, fake.WithUpstream(base))
	ask(t, srv, "GET", "/api/profile", nil)
	srv.Close()
	select {
	case <-closed:
	case <-time.After(3 * time.Second): // an idle connection is closed after four seconds
		t.Error("the connection is open")
	}
}

// An upstream or a fallback can be given once, and has to be usable.
func TestMistakesAboutTheRest(t *testing.T) {
	t.Parallel()
	upstream := fake.WithUpstream(&url.URL{Scheme: "https", Host: "api.example"})
	for want, options := range map[string][]fake.Option{
		"give its URL with fake.WithUpstream, or write": {fromUpstream},
		"WithUpstream: there is no URL":                 {fake.WithUpstream(nil)},
		"WithFallback: the handler is nil":              {fake.WithFallback(nil)},
		"WithFallback: WithUpstream is there, too": {
			upstream, fake.WithFallback(http.NotFoundHandler()),
		},
	} {
		_, err := fake.New(options...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}
