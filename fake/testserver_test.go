package fake_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A recorder is a test that keeps its messages, so that failures can be tested. Its Fatalf ends the
// goroutine, as a test's does.
type recorder struct {
	mu       sync.Mutex
	failures []string
	logged   []string
	skipped  []string
	cleanups []func()
}

func (*recorder) Helper() {}

func (r *recorder) Logf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.logged = append(r.logged, fmt.Sprintf(format, args...))
}

func (r *recorder) Failed() bool { return r.text() != "" }

func (r *recorder) Skipf(format string, args ...any) {
	r.skipped = append(r.skipped, fmt.Sprintf(format, args...))
}

func (r *recorder) Skipped() bool { return r.skipped != nil }

func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

type fatal struct{}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	panic(fatal{})
}

// ended calls a function that ends its test at once, and returns the messages of the test.
func ended(t *testing.T, act func(tb *recorder)) (told string) {
	t.Helper()
	var tb recorder
	defer func() {
		if p := recover(); p != (fatal{}) {
			t.Errorf("the test goes on, or panics with %v", p)
		}
		told = tb.text()
	}()
	act(&tb)
	return ""
}

func (r *recorder) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.failures, "\n")
}

func (r *recorder) finish() {
	for _, f := range r.cleanups {
		f()
	}
}

// Requests that the service has, or that browsers send by themselves, fail no test.
func TestStrictServerLetsPass(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}))
	ask(t, srv, "GET", listPath, nil)
	ask(t, srv, "GET", listPath, bearer("bob"))
	ask(t, srv, "GET", "/", nil) // like somebody who looks for the page
	ask(t, srv, "OPTIONS", listPath, preflight("http://x.test"))
	ask(t, srv, "OPTIONS", "/elsewhere", preflight("http://x.test"))
}

// An option that cannot be used ends the test.
func TestBadOptionsEndTheTest(t *testing.T) {
	t.Parallel()
	told := ended(t, func(tb *recorder) {
		fake.NewTestServer(tb, fake.WithService(fixtures.Service{Timestamps: "YYYY"}))
	})
	expect(t, told, `service.timestamps: "YYYY" is no layout`)
}

// A server on a port in a bubble is refused, because it would silently stop the clock of the
// bubble.
func TestPortInABubble(t *testing.T) {
	t.Parallel()
	shared := fake.NewTestServer(t)
	const why = "in a testing/synctest bubble time stands still " +
		"while a server listens on a port, so that delays never end; "
	for want, use := range map[string]func(tb *recorder){
		"campaignfake: " + why + "add the option fake.WithInMemory()": func(tb *recorder) {
			fake.NewTestServer(tb)
		},
		"campaignfake: For: " + why + "make a server for this test alone, inside the bubble, " +
			"with fake.NewTestServer(t, fake.WithInMemory())": func(tb *recorder) {
			shared.For(tb)
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			told := ended(t, use)
			if told != want {
				t.Errorf("the failure is\n%s\nwant\n%s", told, want)
			}
		})
	}
}

// A broken writer panics as soon as it is used.
type broken struct{ http.ResponseWriter }

func (broken) Header() http.Header { panic("no header to write to") }

// A nil test, as in a function that got none, panics with a message that names it, and not with a
// nil pointer.
func TestNilTest(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	for call, make := range map[string]func(){
		"NewTestServer": func() { fake.NewTestServer(nil) },
		"For":           func() { srv.For(nil) },
	} {
		func() {
			defer func() {
				told := fmt.Sprint(recover())
				if !strings.HasPrefix(told, "campaignfake: "+call+": the test is nil; ") {
					t.Errorf("it panics with %s", told)
				}
			}()
			make()
		}()
	}
}

// A strict server fails the test for what the service does not have, and a lenient one does not.
func TestStrictServerFailsTheTest(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/user/campaigns":    "the base path /api is missing",
		"/":                  "The path is /.",
		listPath + "?page=2": "query parameter",
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			for _, options := range [][]fake.Option{nil, {fake.WithLenient()}} {
				var tb recorder
				alice := fake.WithUser("alice", fixtures.User{})
				srv := fake.NewTestServer(&tb, append(options, alice)...)
				ask(t, srv, "GET", path, bearer("alice"))
				tb.finish()
				if options == nil {
					expect(t, tb.text(), "GET "+path+` with token "alice"`, want,
						"GET "+rootOf(srv)+listPath, "Lenient")
				} else if tb.Failed() {
					t.Errorf("a lenient server fails the test: %s", tb.text())
				}
			}
		})
	}
}

// The test's log has a line for each request for the service, unless a nil logger turns it off.
func TestLog(t *testing.T) {
	t.Parallel()
	for _, options := range [][]fake.Option{nil, {fake.WithLogger(nil)}} {
		var tb recorder
		srv := fake.NewTestServer(&tb, append(options, fake.WithUser("alice", fixtures.User{}))...)
		statuses(t, srv, "alice", 1)
		ask(t, srv, "GET", "/_fake/health", nil)
		tb.finish()
		if options != nil && tb.logged != nil || options == nil && len(tb.logged) != 1 {
			t.Errorf("the log has %q", tb.logged)
		}
		if options == nil {
			expect(t, tb.logged[0], "campaignfake: level=INFO method=GET path=/api/user/campaigns ")
		}
	}
}

// Nothing is reported to a test that has ended, because package testing would panic.
func TestNothingIsReportedAfterTheTest(t *testing.T) {
	t.Parallel()
	var tb recorder
	srv := fake.NewTestServer(&tb)
	c := srv.For(&tb)
	tb.finish()
	if srv.RemoveUser("nobody") == nil || c.RemoveUser() == nil {
		t.Error("to remove nobody is no error")
	}
	if tb.Failed() {
		t.Errorf("the test is told %q", tb.text())
	}
}

// A handler of New with WithTB is as strict as a test server, also inside of the test's own mux.
func TestStrictHandler(t *testing.T) {
	t.Parallel()
	var tb recorder
	handler := newHandler(t,
		fake.WithTB(&tb),
		fake.WithUser("alice", scripted(fixtures.Reply{Status: 503})),
	)
	mux := http.NewServeMux()
	mux.Handle("/api/", handler)
	mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/api/users", nil))
	expect(t, tb.text(), "a request matched nothing")
	tb.finish()
	expect(t, strings.Join(tb.logged, "\n"), "replies were not played", "status=404")
}

// A test's own Transport with DialContext reaches a server, also in memory, and trusts its
// certificate.
func TestTransportOfOnesOwn(t *testing.T) {
	t.Parallel()
	certificate, trusting := certified()
	for name, options := range map[string][]fake.Option{
		"TLS":       {fake.WithTLS(certificate)},
		"in memory": {fake.WithInMemory()},
	} {
		srv := fake.NewTestServer(t, append(options, fake.WithUser("alice", fixtures.User{}))...)
		client := &http.Client{Transport: &http.Transport{
			DisableKeepAlives: true,
			DialContext:       srv.DialContext,
			TLSClientConfig:   trusting,
		}}
		if _, err := client.Get("http://campaigns.invalid/api/user/campaigns"); err == nil {
			t.Errorf("%s: another host answers", name)
		}
		expectStatuses(t, reached{srv, client}, "alice", "200")
	}
}

// A lines is a TB that notes which functions call Helper, as a testing.T does to find the line of
// the test.
type lines struct {
	recorder
	helpers map[string]bool
}

func (l *lines) Helper() {
	pc := make([]uintptr, 1)
	runtime.Callers(2, pc)
	frame, _ := runtime.CallersFrames(pc).Next()
	l.helpers[frame.Function] = true
}

// A failure names a line of the test, because every function between calls Helper.
func TestFailuresNameALineOfTheTest(t *testing.T) {
	t.Parallel()
	tb := &lines{helpers: make(map[string]bool)}
	srv := fake.NewTestServer(tb)
	c := srv.For(tb)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wrong := scripted(fixtures.Reply{Status: 99})
	for method, call := range map[string]func(){
		"Server.SetUser":       func() { srv.SetUser("a b", fixtures.User{}) },
		"Server.RemoveUser":    func() { srv.RemoveUser("nobody") },
		"Server.Enqueue":       func() { srv.Enqueue("nobody", fixtures.Reply{}) },
		"Server.AwaitRequests": func() { srv.AwaitRequests(ctx, "nobody", 1) },
		"Server.AwaitAnswers":  func() { srv.AwaitAnswers(ctx, "nobody", 1) },
		"Server.CheckRequests": func() { srv.CheckRequests(tb, "nobody", 1) },
		"Client.SetUser":       func() { c.SetUser(wrong) },
		"Client.RemoveUser":    func() { c.RemoveUser() },
		"Client.Enqueue":       func() { c.Enqueue(fixtures.Reply{}) },
		"Client.AwaitRequests": func() { c.AwaitRequests(ctx, 1) },
		"Client.AwaitAnswers":  func() { c.AwaitAnswers(ctx, 1) },
		"Client.CheckRequests": func() { c.CheckRequests(1) },
	} {
		before := len(tb.failures)
		call()
		kind, name, _ := strings.Cut(method, ".")
		isHelper := tb.helpers["example.com/campaignfake/fake.(*"+kind+")."+name]
		if len(tb.failures) != before+1 || !isHelper {
			t.Errorf("%s: it helps the test: %t, which is told %q", method, isHelper, tb.failures)
		}
	}
	tb.finish()
}
