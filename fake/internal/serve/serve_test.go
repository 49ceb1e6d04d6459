package serve_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/serve"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fixtures"
)

const (
	listPath = "/api/user/campaigns"
	page     = "http://localhost:5173"
)

// newHandler returns a handler for options.
func newHandler(t *testing.T, options ...func(*plan.Setup)) *serve.Handler {
	t.Helper()
	e, err := engine.New(plan.NewSetup(options))
	if err != nil {
		t.Fatal(err)
	}
	return &serve.Handler{Engine: e}
}

func withUser(token string, user fixtures.User) func(*plan.Setup) {
	return func(s *plan.Setup) { s.SetUser(token, user, plan.DoorFile) }
}

func withService(service fixtures.Service) func(*plan.Setup) {
	return func(s *plan.Setup) { s.AddSettings(service, nil) }
}

// withLog writes the log without its times.
func withLog(log *bytes.Buffer) func(*plan.Setup) {
	isTime := func(key string) bool { return key == slog.TimeKey || key == "duration_ms" }
	withoutTimes := func(_ []string, a slog.Attr) slog.Attr {
		if isTime(a.Key) {
			return slog.Attr{}
		}
		return a
	}
	return func(s *plan.Setup) {
		s.Logger = slog.New(slog.NewTextHandler(log,
			&slog.HandlerOptions{ReplaceAttr: withoutTimes}))
	}
}

// A recorder is the TB of a strict test. It notes the failures.
type recorder struct {
	report.NoTest
	mu       sync.Mutex
	failures []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

// withTest has the server report failures to a recorder.
func withTest(tb *recorder) func(*plan.Setup) {
	return func(s *plan.Setup) { s.Test = &report.Test{TB: tb} }
}

func bearer(token string) http.Header {
	return http.Header{"Authorization": {"Bearer " + token}}
}

// newRequest returns a request as a server has received it.
func newRequest(method, path string, header http.Header) *http.Request {
	r := httptest.NewRequest(method, "http://fake.test"+path, nil)
	if header != nil {
		r.Header = header
	}
	return r
}

// ask has a request answered without a connection.
func ask(h http.Handler, method, path string, header http.Header) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, newRequest(method, path, header))
	return w
}

// reasonOf returns the reason of the latest request in the journal.
func reasonOf(h *serve.Handler) string {
	entries := h.Engine.Requests(engine.Scope{})
	return entries[len(entries)-1].Request.Reason
}

// clientOf serves a handler by connections in memory, until the test ends, and returns a client.
func clientOf(t *testing.T, h http.Handler) *http.Client {
	t.Helper()
	listener := wire.NewMemoryListener()
	server := &http.Server{Handler: h}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	return &http.Client{Transport: &http.Transport{
		DialContext:       listener.DialContext,
		DisableKeepAlives: true,
	}}
}

// get sends a request for the campaigns of a token.
func get(t *testing.T, client *http.Client, method, token string) (*http.Response, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method,
		"http://"+wire.MemoryHost+listPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header = bearer(token)
	return client.Do(request)
}

// bodyOf reads a body to its end, and closes it.
func bodyOf(response *http.Response) (string, error) {
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

// If several things are wrong with a request, the answer is about the first, and the others have no
// effect. A refusal tells the client what to change.
func TestOrderOfSteps(t *testing.T) {
	t.Parallel()
	h := newHandler(t, withUser("alice", fixtures.User{
		RateLimit: &fixtures.RateLimit{Requests: 1, Per: 3600e9},
		Replies:   []fixtures.Reply{{Status: 503}, {Status: 504}},
	}))
	preflight := bearer("nobody")
	preflight.Set("Access-Control-Request-Method", "GET")
	for i, step := range []struct {
		method, path string
		header       http.Header
		status       int
		reason       string
		name, value  string // a header that the answer has
	}{
		{"OPTIONS", "/wrong", preflight, 204, "preflight", "", ""},
		{"POST", "/wrong", bearer("alice"), 404, "no route has this path", "", ""},
		{"POST", listPath, bearer("alice"), 405, "the route is there", "Allow", "GET, HEAD"},
		{
			"GET", listPath, nil, 401, "there is no Authorization header",
			"Www-Authenticate", "Bearer",
		},
		{
			"GET", listPath, bearer("nobody"), 401, "no user has this token",
			"Www-Authenticate", `Bearer error="invalid_token"`,
		},
		{"GET", listPath, bearer("alice"), 503, "scripted: 503", "", ""},
		{"HEAD", listPath, bearer("alice"), 429, "rate limit: 1 request in 1h", "Retry-After", "3600"},
	} {
		w := ask(h, step.method, step.path, step.header)
		if w.Code != step.status || !strings.HasPrefix(reasonOf(h), step.reason) {
			t.Errorf("request %d is answered %d, %s; want %d, %s",
				i, w.Code, reasonOf(h), step.status, step.reason)
		}
		if got := w.Header().Get(step.name); got != step.value {
			t.Errorf("request %d is answered with %s: %q, want %q", i, step.name, got, step.value)
		}
	}
	if got := h.Engine.User("alice").Waiting; len(got) != 1 {
		t.Errorf("%d replies wait, want 1", len(got))
	}
}

// HEAD is answered as GET is, without the body.
func TestHEAD(t *testing.T) {
	t.Parallel()
	h := newHandler(t, withUser("alice", fixtures.User{}))
	w := ask(h, "HEAD", listPath, bearer("alice"))
	if w.Code != 200 || w.Body.Len() != 0 || w.Header().Get("Content-Length") != "16" {
		t.Errorf("HEAD is answered %d %v %q", w.Code, w.Header(), w.Body)
	}
	answer := h.Engine.Requests(engine.Scope{})[0].Request.Answer
	if answer.Body != `{"campaigns":[]}` || answer.Bytes != 16 || answer.Sent != 0 {
		t.Errorf("the journal has %+v", answer)
	}
}

// A request that matches nothing, or has a query, fails a strict test. The failure says what to
// send.
func TestFailures(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		method, path string
		want         string
	}{
		"another path": {
			"GET", "/user/campaigns?page=2",
			`campaignfake: a request matched nothing:
	GET /user/campaigns?page=2 with token "alice"
The path /user/campaigns is nearly right, but the base path /api is missing.
This would have matched:
	GET /api/user/campaigns
Send that, with a URL made of the server's BaseURL; ` +
				`or make the server with fake.WithLenient() if the request is meant.`,
		},
		"the rest of the API": {
			"GET", "/api/profile",
			`campaignfake: a request matched nothing:
	GET /api/profile with token "alice"
The path is /api/profile.
This would have matched:
	GET /api/user/campaigns
Send that, with a URL made of the server's BaseURL; ` +
				`or make the server with fake.WithLenient() if the request is meant.
For the rest of the API, give the server fake.WithFallback or fake.WithUpstream.`,
		},
		"another method": {
			"POST", listPath,
			`campaignfake: a request matched nothing:
	POST /api/user/campaigns with token "alice"
The method is POST, and has to be GET.
This would have matched:
	GET /api/user/campaigns
Send that, with a URL made of the server's BaseURL; ` +
				`or make the server with fake.WithLenient() if the request is meant.`,
		},
		"a query": {
			"GET", listPath + "?page=2",
			`campaignfake: a query parameter was sent, and the service documents none:
	GET /api/user/campaigns?page=2 with token "alice"
It was ignored. Send GET /api/user/campaigns without a query, or make the server with fake.WithLenient().`,
		},
		"the right request": {"GET", listPath, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tb recorder
			h := newHandler(t, withTest(&tb), withUser("alice", fixtures.User{}))
			ask(h, tt.method, tt.path, bearer("alice"))
			got := strings.Join(tb.failures, "\n\n")
			if got != tt.want {
				t.Errorf("the test fails with\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// A panic of a handler is reported to the test, and the entry of the request is complete.
func TestPanic(t *testing.T) {
	t.Parallel()
	var tb recorder
	h := newHandler(t, withTest(&tb))
	func() {
		defer func() {
			if got := recover(); got != "broken" {
				t.Errorf("the handler panics with %v", got)
			}
		}()
		h.ServeHTTP(brokenWriter{}, newRequest("GET", listPath, nil))
	}()
	entry := h.Engine.Requests(engine.Scope{})[0].Request
	if !entry.Complete || entry.Reason != "the handler panicked: broken" {
		t.Errorf("the journal has %+v", entry)
	}
	if len(tb.failures) != 1 || !strings.Contains(tb.failures[0], "the handler panicked on GET ") {
		t.Errorf("the test fails with %q", tb.failures)
	}
}

// A brokenWriter panics as soon as it is used.
type brokenWriter struct{ http.ResponseWriter }

func (brokenWriter) Header() http.Header { panic("broken") }

// The body of a request is read though nobody uses it, also for a path that is not there.
func TestBodyIsRead(t *testing.T) {
	t.Parallel()
	h := newHandler(t, withUser("alice", fixtures.User{}))
	for _, path := range []string{listPath, "/wrong"} {
		body := strings.NewReader("a body")
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", path, body))
		if body.Len() > 0 {
			t.Errorf("of the body for %s, %d bytes are left", path, body.Len())
		}
	}
}

// A client that has sent a body, and goes away while its answer is delayed, is noticed.
func TestClientWithABodyGoesAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		user := fixtures.User{Delay: &fixtures.Delay{Fixed: time.Hour}}
		h := newHandler(t, withUser("alice", user))
		c := connect(t, h, "GET "+listPath+" HTTP/1.1", "Host: fake.test",
			"Authorization: Bearer alice", "Content-Length: 6", "", "a body")
		synctest.Wait()
		c.Close()
		synctest.Wait()
		const want = "0 campaigns; delayed 1h; the client went away before that"
		if got := reasonOf(h); got != want {
			t.Errorf("the reason is %s, want %s", got, want)
		}
	})
}

// A server that has ended answers nothing any more.
func TestEndedServer(t *testing.T) {
	t.Parallel()
	h := newHandler(t, withUser("alice", fixtures.User{}))
	h.Engine.Close()
	w := ask(h, "GET", listPath, bearer("alice"))
	if w.Code != 503 || w.Body.String() != "The server is closed.\n" ||
		len(h.Engine.Requests(engine.Scope{})) != 0 {
		t.Errorf("it is answered %d %s, and is in the journal: %v",
			w.Code, w.Body, h.Engine.Requests(engine.Scope{}))
	}
}
