package fake_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A recorder is a test that keeps what it is told, so that failures can be
// tested. Its Fatalf ends the goroutine, as a test's does.
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

// ended calls a function that ends its test at once, and returns what the test is told.
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

// A strict server fails the test for what the service does not have, and a lenient one does not.
func TestStrictServerFailsTheTest(t *testing.T) {
	t.Parallel()
	const wanted = "GET ROOT/api/user/campaigns"
	tests := map[string]struct {
		method, path string
		header       http.Header
		want         []string // where ROOT stands for the URL of the server
	}{
		"another path": {
			method: "GET",
			path:   "/user/campaigns",
			header: bearer("alice"),
			want: []string{
				`GET /user/campaigns with token "alice"`, "the base path /api is missing", wanted,
				"BaseURL", "Lenient",
			},
		},
		"another method": {
			method: "DELETE",
			path:   listPath,
			want: []string{
				"DELETE /api/user/campaigns (there is no Authorization header)",
				"The method is DELETE, and has to be GET.", wanted,
			},
		},
		"the root": {
			method: "GET",
			path:   "/",
			header: bearer("alice"),
			want:   []string{`GET / with token "alice"`, "The path is /.", wanted},
		},
		"posted to the root": {
			method: "POST",
			path:   "/",
			header: bearer("alice"),
			want:   []string{`POST / with token "alice"`, wanted},
		},
		"a query without a token": {
			method: "GET",
			path:   listPath + "?page=2",
			want:   []string{"query parameter"},
		},
		"a query": {
			method: "GET",
			path:   listPath + "?page=2",
			header: bearer("alice"),
			want: []string{
				`GET /api/user/campaigns?page=2 with token "alice"`, "query parameter", wanted,
				"Lenient",
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tb recorder
			srv := fake.NewTestServer(&tb, fake.WithUser("alice", fixtures.User{}))
			defer tb.finish()
			root := strings.TrimSuffix(srv.BaseURL(), "/api")
			ask(t, srv, test.method, test.path, test.header)
			for _, want := range test.want {
				expect(t, tb.text(), strings.ReplaceAll(want, "ROOT", root))
			}
			if len(tb.failures) != 1 {
				t.Errorf("%d failures", len(tb.failures))
			}

			var lenient recorder
			srv = fake.NewTestServer(&lenient, fake.WithLenient(),
				fake.WithUser("alice", fixtures.User{}))
			defer lenient.finish()
			ask(t, srv, test.method, test.path, test.header)
			if lenient.Failed() {
				t.Errorf("a lenient server fails the test: %s", lenient.text())
			}
		})
	}
}

// What the service has fails no test, nor what browsers send by themselves.
func TestStrictServerLetsPass(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}))
	ask(t, srv, "GET", listPath, nil)
	ask(t, srv, "GET", listPath, bearer("bob"))
	ask(t, srv, "GET", "/", nil) // as somebody who looks for the page
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

// A server on a port would stop the clock of a bubble without a word.
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

// The client of a server in memory reaches no other server, and not that one after Close.
func TestInMemoryReachesNobodyElse(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithInMemory())
	_, err := srv.Client().Get("http://127.0.0.1:1/api/user/campaigns")
	expect(t, fmt.Sprint(err), "the client of an in-memory server reaches campaignfake.test alone")
	srv.Close()
	_, err = srv.Client().Get(srv.BaseURL())
	expect(t, fmt.Sprint(err), "the server is closed")
}

// A thousand servers beside each other is what parallel tests amount to. In a bubble, no limit of
// time passes while a slow machine is busy.
func TestManyServers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var group sync.WaitGroup
		for i := range 1000 {
			group.Go(func() {
				srv := fake.NewTestServer(t,
					fake.WithInMemory(), fake.WithLogger(nil),
					fake.WithUser("alice", generated(i%7)))
				_, body := ask(t, srv, "GET", listPath, bearer("alice"))
				if strings.Count(body, `"id":`) != i%7 {
					t.Errorf("server %d sends %s", i, body)
				}
				srv.Close()
			})
		}
		group.Wait()
	})
}

// A panic of a handler fails the test, and ends the connection.
func TestPanicsFailTheTest(t *testing.T) {
	t.Parallel()
	call := func(srv *fake.Server) (panicked any) {
		defer func() { panicked = recover() }()
		srv.ServeHTTP(broken{}, httptest.NewRequest("GET", listPath, nil))
		return nil
	}
	var strict, lenient recorder
	srv := fake.NewTestServer(&strict)
	defer strict.finish()
	if p := call(srv); p != "no header to write to" {
		t.Errorf("the handler ended with %v", p)
	}
	expect(t, strict.text(), "the handler panicked on GET /api/user/campaigns",
		"no header to write to", "goroutine")
	if r := srv.Requests()[0]; r.Reason != "the handler panicked: no header to write to" {
		t.Errorf("the journal has the reason %q", r.Reason)
	}
	srv = fake.NewTestServer(&lenient, fake.WithLenient())
	defer lenient.finish()
	if p := call(srv); p != "no header to write to" || lenient.Failed() {
		t.Errorf("the handler ended with %v, and the test with %s", p, lenient.text())
	}
	if p := call(newHandler(t)); p != "no header to write to" {
		t.Errorf("a plain handler ended with %v", p)
	}
}

type broken struct{ http.ResponseWriter }

func (broken) Header() http.Header { panic("no header to write to") }

// Each line of the log is one request, with the tokens of strangers masked.
func TestLog(t *testing.T) {
	t.Parallel()
	send := func(srv *fake.Server) {
		ask(t, srv, "GET", listPath+"?access_token=secret&secret", bearer("alice"))
		ask(t, srv, "GET", listPath, bearer("a-real-token-of-somebody"))
		ask(t, srv, "GET", "/elsewhere", bearer("short"))
		ask(t, srv, "GET", "/_fake/health", nil)
	}
	want := []string{
		`level=WARN method=GET path=/api/user/campaigns ignored_query="access_token=…&…" ` +
			`status=200 token=alice duration_ms=D reason="0 campaigns"`,
		`level=INFO method=GET path=/api/user/campaigns ` +
			`status=401 token=a-re… duration_ms=D reason="no user has this token"`,
		`level=WARN method=GET path=/elsewhere status=404 token=… duration_ms=D ` +
			`reason="no route has this path: the path is /elsewhere; ` +
			`only GET /api/user/campaigns is here"`,
	}
	duration := regexp.MustCompile(`duration_ms=\S+`)

	var tb recorder
	alice := fake.WithUser("alice", fixtures.User{})
	srv := fake.NewTestServer(&tb, fake.WithLenient(), alice)
	send(srv)
	tb.finish()
	if len(tb.logged) != len(want) {
		t.Fatalf("the test's log has %q", tb.logged)
	}
	for i, line := range tb.logged {
		got := duration.ReplaceAllString(line, "duration_ms=D")
		if got != "campaignfake: "+want[i] {
			t.Errorf("line %d of the test's log is\n%s\nwant\n%s", i, got, want[i])
		}
	}

	var silent recorder
	srv = fake.NewTestServer(&silent, fake.WithLogger(nil), fake.WithLenient(), alice)
	send(srv)
	silent.finish()
	if len(silent.logged) != 0 {
		t.Errorf("a silenced server logs %q", silent.logged)
	}

	var out strings.Builder
	srv = fake.NewTestServer(t, fake.WithLogger(slog.New(slog.NewJSONHandler(&out, nil))),
		fake.WithLenient(), alice)
	send(srv)
	srv.Close()
	lines := strings.Count(out.String(), `"msg":"request"`)
	if lines != 3 || strings.Contains(out.String(), "secret") {
		t.Errorf("the log is\n%s", out.String())
	}
}

// A test that has ended must not be told anything: testing panics then.
func TestNothingIsReportedAfterTheTest(t *testing.T) {
	t.Parallel()
	var tb recorder
	srv := fake.NewTestServer(&tb, fake.WithUser("alice", fixtures.User{}))
	c := srv.For(&tb)
	tb.finish()
	logged := len(tb.logged)
	wrong := fixtures.User{Generate: &fixtures.Generate{Count: -1}}
	for name, err := range map[string]error{
		"Reload":             srv.Reload(),
		"SetUser":            srv.SetUser("alice", wrong),
		"Enqueue":            srv.Enqueue("nobody", fixtures.Reply{}),
		"RemoveUser":         srv.RemoveUser("nobody"),
		"a client's SetUser": c.SetUser(wrong),
		"its Enqueue":        c.Enqueue(fixtures.Reply{}),
		"its RemoveUser":     c.RemoveUser(),
	} {
		if err == nil {
			t.Errorf("%s has no error", name)
		}
	}
	if tb.Failed() || len(tb.logged) != logged {
		t.Errorf("the test is told %q, and its log %q", tb.text(), tb.logged[logged:])
	}
}

// A handler of New that has WithTB is as strict as a test server, behind a mux of the
// test's own.
func TestStrictHandler(t *testing.T) {
	t.Parallel()
	var tb recorder
	handler := newHandler(t,
		fake.WithTB(&tb),
		fake.WithUser("alice", scripted(fixtures.Reply{Status: 503})),
	)
	mux := http.NewServeMux()
	mux.Handle("/api/", handler)
	outer := httptest.NewServer(mux)
	t.Cleanup(outer.Close)

	response, err := outer.Client().Get(outer.URL + "/api/users")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if got := tb.text(); !strings.Contains(got, "a request matched nothing") {
		t.Errorf("after a request that matched nothing, the test has failed with %q", got)
	}
	tb.finish()
	expect(t, strings.Join(tb.logged, "\n"), "replies were not played", "status=404")
	if code := record(handler, "alice").Code; code != http.StatusServiceUnavailable {
		t.Errorf("after the test, the handler answers %d", code)
	}
}

// A handler of WithTB can be closed before the server that serves it, which would wait for a fault.
// The test is told all the same what was not played.
func TestStrictHandlerIsClosedFirst(t *testing.T) {
	t.Parallel()
	var tb recorder
	user := scripted(fixtures.Reply{Fault: fixtures.FaultHang}, fixtures.Reply{Status: 503})
	func() {
		handler := newHandler(t,
			fake.WithTB(&tb),
			fake.WithLogger(nil),
			fake.WithUser("alice", user),
		)
		outer := httptest.NewServer(handler)
		defer outer.Close()
		defer handler.Close()
		request := newRequest(t, "GET", outer.URL+listPath, bearer("alice"))
		go outer.Client().Do(request)
		if err := handler.AwaitRequests(t.Context(), "alice", 1); err != nil {
			t.Error(err)
		}
	}()
	tb.finish()
	if got := tb.text(); strings.Count(got, "never played") != 1 {
		t.Errorf("the test is told %q", got)
	}
}

// A lenient handler reports to its test what is wrong with a call, and nothing else.
func TestLenientHandler(t *testing.T) {
	t.Parallel()
	var tb recorder
	handler := newHandler(t, fake.WithTB(&tb), fake.WithLenient(), fake.WithLogger(nil))
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/api/users", nil))
	handler.RemoveUser("nobody")
	tb.finish()
	if len(tb.failures) != 1 || !strings.Contains(tb.text(), "RemoveUser") {
		t.Errorf("the test is told %q", tb.failures)
	}
}

// A Transport of the test's own reaches a server, be it in memory, and trusts it.
func TestTransportOfOnesOwn(t *testing.T) {
	t.Parallel()
	certificate, trusting := certified()
	for name, options := range map[string][]fake.Option{
		"a port":        nil,
		"in memory":     {fake.WithInMemory()},
		"TLS":           {fake.WithTLS(certificate)},
		"TLS in memory": {fake.WithTLS(certificate), fake.WithInMemory()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t,
				append(options, fake.WithUser("alice", fixtures.User{}))...)
			client := &http.Client{Transport: &http.Transport{
				DisableKeepAlives: true,
				DialContext:       srv.DialContext,
				TLSClientConfig:   trusting,
			}}
			_, err := client.Get("http://campaigns.invalid/api/user/campaigns")
			if err == nil {
				t.Error("another host answers")
			} else if strings.Contains(name, "in memory") {
				expect(t, err.Error(), "build the URL from the server's BaseURL")
			}
			expectStatuses(t, reached{srv, client}, "alice", "200")
		})
	}
}

// A lines is a test that notes which functions say that they help it, as a testing.T
// does to find the line of the test.
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

// A failure names a line of the test: every function between them says that it helps.
func TestFailuresNameALineOfTheTest(t *testing.T) {
	t.Parallel()
	tb := &lines{helpers: make(map[string]bool)}
	defer tb.finish()
	srv := fake.NewTestServer(tb)
	c := srv.For(tb)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	srv.SetUser("a b", fixtures.User{})
	srv.RemoveUser("nobody")
	srv.Enqueue("nobody", fixtures.Reply{})
	srv.AwaitRequests(ctx, "nobody", 1)
	srv.AwaitAnswers(ctx, "nobody", 1)
	srv.CheckRequests(tb, "nobody", 1)
	c.SetUser(fixtures.User{Replies: []fixtures.Reply{{Status: 99}}})
	c.RemoveUser()
	c.Enqueue(fixtures.Reply{})
	c.AwaitRequests(ctx, 1)
	c.AwaitAnswers(ctx, 1)
	c.CheckRequests(1)
	if len(tb.failures) != 12 {
		t.Errorf("the test is told %q", tb.failures)
	}
	methods := []string{
		"SetUser", "RemoveUser", "Enqueue", "AwaitRequests", "AwaitAnswers", "CheckRequests",
	}
	for _, kind := range []string{"Server", "Client"} {
		for _, method := range methods {
			if !tb.helpers["example.com/campaignfake/fake.(*"+kind+")."+method] {
				t.Errorf("%s.%s is no helper of the test", kind, method)
			}
		}
	}
}

// A test that is nil, as in a function that was handed none, is named in place of a nil pointer.
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
