package fake_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
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

// newUpstream starts a real API: campaigns for the token of a login, and a text for all other paths
// that says what was asked.
func newUpstream(t *testing.T) *url.URL {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/user/campaigns", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer login" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"campaigns":[{"id":"real"}]}`)
	})
	mux.HandleFunc("/v1/session", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "sid=secret; Path=/v1; Domain=api.example")
		io.WriteString(w, r.Header.Get("Cookie"))
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprintf(w, "%s %s with %d bytes", r.Method, r.RequestURI, n)
	})
	server := httptest.NewServer(mux)
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

// answerTo sends a request, and returns the answer with its body.
func answerTo(t *testing.T, srv *fake.Server, r *http.Request) (*http.Response, string) {
	t.Helper()
	response, err := srv.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body) // a fault may end it early
	return response, string(body)
}

// requestFor returns a request to a path of the server, outside of the base path if that does not
// begin the path.
func requestFor(t *testing.T, srv *fake.Server, method, path, token string) *http.Request {
	t.Helper()
	root := strings.TrimSuffix(srv.BaseURL(), "/api")
	r, err := http.NewRequestWithContext(t.Context(), method, root+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return r
}

// Where a request is answered depends on its path, its method, and its token.
func TestUpstreamOrFake(t *testing.T) {
	t.Parallel()
	api := newUpstream(t)
	const real = `{"campaigns":[{"id":"real"}]}`
	for name, tt := range map[string]struct {
		method, path, token string
		status              int
		body                string // a part of it
		passedOn            bool
	}{
		"another path": {
			method:   "GET",
			path:     "/api/profile",
			token:    "",
			status:   200,
			body:     "GET /v1/profile with 0",
			passedOn: true,
		},
		"its query": {
			method:   "GET",
			path:     "/api/profile?a=1;b",
			token:    "",
			status:   200,
			body:     "/v1/profile?a=1;b",
			passedOn: true,
		},
		"another method":            {"POST", "/api/user/campaigns", "login", 200, real, true},
		"outside of the base path":  {"GET", "/oauth/token", "", 200, "/oauth/token", true},
		"the root, with a token":    {"GET", "/", "login", 200, "GET / with", true},
		"the root, without a token": {"GET", "/", "", 200, "<!DOCTYPE html>", false},
		"the control plane":         {"GET", "/_fake/health", "", 200, `"ready":true`, false},
		"campaigns of a user": {
			method:   "GET",
			path:     "/api/user/campaigns",
			token:    "alice",
			status:   200,
			body:     `{"campaigns":[]}`,
			passedOn: false,
		},
		"campaigns of a run": {
			method:   "GET",
			path:     "/api/user/campaigns",
			token:    "alice~1",
			status:   200,
			body:     `{"campaigns":[]}`,
			passedOn: false,
		},
		"campaigns of a login": {"GET", "/api/user/campaigns", "login", 200, real, true},
		"campaigns of nobody":  {"GET", "/api/user/campaigns", "who", 401, "", true},
		"a query of the login": {
			method:   "GET",
			path:     "/api/user/campaigns?page=2",
			token:    "login",
			status:   200,
			body:     real,
			passedOn: true,
		},
		"campaigns without a token": {"GET", "/api/user/campaigns", "", 401, "Unauthorized", false},
		"a slash at the end": {
			method:   "GET",
			path:     "/api/user/campaigns/",
			token:    "login",
			status:   404,
			body:     "ends in a slash",
			passedOn: false,
		},
		"no base path": {
			method:   "GET",
			path:     "/user/campaigns",
			token:    "login",
			status:   404,
			body:     "base path /api is missing",
			passedOn: false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t, fake.WithUpstream(api), fromUpstream,
				fake.WithUser("alice", fixtures.User{}), fake.WithLenient())
			request := requestFor(t, srv, tt.method, tt.path, tt.token)
			response, body := answerTo(t, srv, request)
			if response.StatusCode != tt.status || !strings.Contains(body, tt.body) {
				t.Errorf("the answer is %d %q; want %d and %q",
					response.StatusCode, body, tt.status, tt.body)
			}
			entries := srv.Requests()
			isPassedOn := len(entries) == 1 && entries[0].PassedOn
			if isPassedOn != tt.passedOn {
				t.Errorf("the journal is %+v; want that it was passed on: %t", entries, tt.passedOn)
			}
			if !tt.passedOn {
				return
			}
			r := entries[0]
			hasReason := strings.HasPrefix(r.Reason, "passed on to "+api.Scheme+"://"+api.Host)
			if r.Unmatched || !r.Complete || !hasReason {
				t.Errorf("the entry is %+v", r)
			}
			got := srv.Tally()
			if got.PassedOn != 1 || got.Unmatched+got.Unknown+got.WithoutToken != 0 {
				t.Errorf("the tally is %+v", got)
			}
		})
	}
}

// Requests that are passed on fail no strict test.
func TestUpstreamInStrictTest(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUpstream(newUpstream(t)), fromUpstream)
	answerTo(t, srv, requestFor(t, srv, "DELETE", "/api/profile?all=1", ""))
	const withQuery = "/api/user/campaigns?page=2"
	answerTo(t, srv, requestFor(t, srv, "GET", withQuery, "login"))
	for _, r := range srv.Requests("login") {
		if r.IgnoredQuery != "" || r.Advice.Title != "" {
			t.Errorf("a query for the upstream is noted as %q, with the advice %+v",
				r.IgnoredQuery, r.Advice)
		}
	}
}

// A reply that a test gives to the very token of a login wins over the upstream. It is the fake's,
// with an empty list if it has no body of its own. A reply that is only a delay has the upstream's.
func TestUpstreamWithReplies(t *testing.T) {
	t.Parallel()
	const whole = `{"campaigns":[{"id":"real"}]}`
	for name, tt := range map[string]struct {
		reply fixtures.Reply
		want  string // the status, and a part of the body
	}{
		"status":   {fixtures.Reply{Status: 503}, "503 Service Unavailable"},
		"body":     {fixtures.Reply{Body: "own"}, "200 own"},
		"header":   {fixtures.Reply{Headers: http.Header{"X-A": {"b"}}}, `200 {"campaigns":[]}`},
		"truncate": {fixtures.Reply{Fault: fixtures.FaultTruncate}, `200 {"campai`},
		"delay":    {fixtures.Reply{Delay: &fixtures.Delay{Fixed: 1}}, "200 " + whole},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t, fake.WithUpstream(newUpstream(t)), fromUpstream)
			srv.Enqueue("login", tt.reply)
			for n, want := range []string{tt.want, "200 " + whole} {
				request := requestFor(t, srv, "GET", "/api/user/campaigns?page=2", "login")
				response, body := answerTo(t, srv, request)
				status, part, _ := strings.Cut(want, " ")
				isRight := strings.Contains(body, part) && response.Status[:3] == status
				if !isRight || len(body) > len(part) && status == "200" {
					t.Errorf("answer %d is %s %q; want %s", n+1, response.Status, body, want)
				}
			}
			reason := srv.Requests("login")[0].Reason
			isPassedOn := strings.Contains(reason, "; passed on to ")
			if !strings.HasPrefix(reason, "enqueued: ") || isPassedOn != (name == "delay") {
				t.Errorf("the reason is %s", reason)
			}
		})
	}
}

// A user that is put for the token of a login has its answers, until it is removed.
func TestUpstreamWithUser(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUpstream(newUpstream(t)), fromUpstream)
	ask := func(want string) {
		t.Helper()
		_, body := answerTo(t, srv, requestFor(t, srv, "GET", "/api/user/campaigns", "login"))
		if !strings.Contains(body, want) {
			t.Errorf("the answer is %q, want %q", body, want)
		}
	}
	ask("real")
	srv.SetUser("login", fixtures.User{Campaigns: []fixtures.Campaign{{ID: "mine"}}})
	ask("mine")
	srv.RemoveUser("login")
	ask("real")
}

// The control plane tells what was passed on, and what becomes of unknown tokens.
func TestUpstreamInControlPlane(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUpstream(newUpstream(t)), fromUpstream,
		fake.WithUser("alice", fixtures.User{}))
	answerTo(t, srv, requestFor(t, srv, "GET", "/api/profile", "alice"))
	answerTo(t, srv, requestFor(t, srv, "GET", "/api/user/campaigns", "alice"))
	for query, url := range map[string]string{
		"passed_on=true":  "/api/profile",
		"passed_on=false": "/api/user/campaigns",
	} {
		list := listed(t, srv, query)
		if len(list) != 1 || list[0].URL != url {
			t.Errorf("%s lists %+v, want %s", query, list, url)
		}
	}
	_, users := steer(t, srv, "GET", "users", "")
	if !strings.Contains(users, `"unknown":{"summary":"the answer of the upstream"`) {
		t.Errorf("the users are %s", users)
	}
	_, settings := steer(t, srv, "GET", "service", "")
	if !strings.Contains(settings, `"local"`) {
		t.Errorf("the settings are %s, want CORS for this machine", settings)
	}
}

// An upstream that does not answer is a 502, whose reason names host and cause.
func TestUpstreamThatIsDown(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	api, _ := url.Parse(closed.URL)
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	srv := fake.NewTestServer(t, fake.WithUpstream(api), fake.WithLogger(logger))
	request := requestFor(t, srv, "GET", "/api/profile", "")
	request.Header.Set("Origin", "http://localhost:5173")
	response, body := answerTo(t, srv, request)
	if response.Header.Get("Access-Control-Allow-Origin") != "http://localhost:5173" {
		t.Errorf("the page cannot read the answer, which has the headers %v", response.Header)
	}
	notThere := "upstream is not there: nothing listens at " + api.Host
	want := "The " + notThere + ". Start it"
	if response.StatusCode != 502 || !strings.Contains(body, want) {
		t.Errorf("the answer is %d %q, want 502 and %q", response.StatusCode, body, want)
	}
	srv.Close()
	for _, part := range []string{"level=WARN", notThere} {
		if !strings.Contains(log.String(), part) {
			t.Errorf("the log is %q, want %q in it", log.String(), part)
		}
	}
}

// Sessions of the upstream are not in the journal: neither in requests nor in answers.
func TestUpstreamCookiesAreMasked(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUpstream(newUpstream(t)))
	request := requestFor(t, srv, "GET", "/api/session", "")
	request.Header.Set("Cookie", "sid=secret; theme=")
	response, body := answerTo(t, srv, request)
	if body != "sid=secret; theme=" {
		t.Errorf("the upstream received the cookies %q", body)
	}
	if got, want := response.Header.Get("Set-Cookie"), "sid=secret; Path=/api"; got != want {
		t.Errorf("the client received the cookie %q, want %q", got, want)
	}
	entry := srv.Requests()[0]
	received, sent := entry.Header.Get("Cookie"), entry.Answer.Header.Get("Set-Cookie")
	if received != "sid=…; theme=" || sent != "sid=…; Path=/api" {
		t.Errorf("the journal has the cookies %q and %q", received, sent)
	}
}

// A host name that somebody can register may lead here by DNS rebinding: nothing is passed on.
func TestUpstreamAtForeignHost(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUpstream(newUpstream(t)))
	request := requestFor(t, srv, "GET", "/api/profile", "")
	request.Host = "evil.example"
	response, body := answerTo(t, srv, request)
	if response.StatusCode != 403 || !strings.Contains(body, "evil.example") {
		t.Errorf("the answer is %d %q, want 403", response.StatusCode, body)
	}
	if r := srv.Requests()[0]; r.PassedOn || !strings.HasPrefix(r.Reason, "not passed on") {
		t.Errorf("the entry is %+v", r)
	}
	if tally := srv.Tally(); tally.Requests != 1 || tally.PassedOn != 0 {
		t.Errorf("%d of %d requests were passed on, want 0 of 1", tally.PassedOn, tally.Requests)
	}
}

// The URL of the upstream may be changed once the option is made.
func TestUpstreamCopiesItsURL(t *testing.T) {
	t.Parallel()
	api := newUpstream(t)
	option := fake.WithUpstream(api)
	api.Path = "/v2"
	srv := fake.NewTestServer(t, option)
	_, body := answerTo(t, srv, requestFor(t, srv, "GET", "/api/profile", ""))
	if want := "GET /v1/profile with 0 bytes"; body != want {
		t.Errorf("the upstream's answer is %q, want %q", body, want)
	}
}

// When Close returns, no connection to the upstream is open any more, not even one that could be
// used again.
func TestCloseEndsConnectionsToTheUpstream(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	accepted := make(chan net.Conn, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		http.ReadRequest(bufio.NewReader(conn))
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		accepted <- conn
	}()
	api := &url.URL{Scheme: "http", Host: listener.Addr().String()}
	srv := fake.NewTestServer(t, fake.WithUpstream(api))
	_, body := answerTo(t, srv, requestFor(t, srv, "GET", "/api/profile", ""))
	if body != "ok" {
		t.Fatalf("the upstream's answer is %q", body)
	}
	conn := <-accepted
	defer conn.Close()
	srv.Close()
	// what is unused for longer is closed anyway
	conn.SetReadDeadline(time.Now().Add(2 * time.Second))
	_, err = conn.Read(make([]byte, 1))
	if err != io.EOF {
		t.Errorf("after Close, reading from the connection to the upstream ends with %v, want %v",
			err, io.EOF)
	}
}

// A setting that needs an upstream, a URL that is none, and two that answer the rest, are mistakes.
func TestUpstreamMistakes(t *testing.T) {
	t.Parallel()
	withPassword := &url.URL{
		Scheme: "https",
		Host:   "api.example",
		User:   url.UserPassword("a", "secret"),
	}
	for name, tt := range map[string]struct {
		options []fake.Option
		want    string
	}{
		"no upstream": {
			options: []fake.Option{fromUpstream},
			want:    "give its URL with fake.WithUpstream, or write",
		},
		"nil": {[]fake.Option{fake.WithUpstream(nil)}, "WithUpstream: there is no URL"},
		"a password": {
			options: []fake.Option{fake.WithUpstream(withPassword)},
			want:    "WithUpstream: the URL has a user name",
		},
		"no host": {[]fake.Option{fake.WithUpstream(&url.URL{Scheme: "https"})}, "has no host"},
		"a fallback, too": {
			options: []fake.Option{
				fake.WithUpstream(&url.URL{Scheme: "https", Host: "api.example"}),
				fake.WithFallback(http.NotFoundHandler()),
			},
			want: "WithFallback: WithUpstream is there, too",
		},
		"no fallback": {[]fake.Option{fake.WithFallback(nil)}, "WithFallback: the handler is nil"},
	} {
		_, err := fake.New(tt.options...)
		if err == nil || !strings.Contains(err.Error(), tt.want) ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error is %v, want %q", name, err, tt.want)
		}
	}
}
