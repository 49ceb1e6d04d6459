package fake_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A handler of New that has WithTB is as strict as a test server, behind a mux of the
// test's own.
func TestStrictHandler(t *testing.T) {
	t.Parallel()
	var tb recorder
	handler := newHandler(t, fake.WithTB(&tb), fake.WithUser("alice", scripted(fixtures.Reply{Status: 503})))
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
			srv := fake.NewTestServer(t, append(options, fake.WithUser("alice", fixtures.User{}))...)
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
	methods := []string{"SetUser", "RemoveUser", "Enqueue", "AwaitRequests", "AwaitAnswers", "CheckRequests"}
	for _, kind := range []string{"Server", "Client"} {
		for _, method := range methods {
			if !tb.helpers["example.com/campaignfake/fake.(*"+kind+")."+method] {
				t.Errorf("%s.%s is no helper of the test", kind, method)
			}
		}
	}
}

// What a closed server has received can still be read, in Go.
func TestClosedServerIsRead(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{Replies: []fixtures.Reply{{Status: 503}}}))
	if got := statuses(t, srv, "alice", 2); got != "503 200" {
		t.Fatalf("the answers are %s", got)
	}
	srv.Close()
	srv.CheckRequests(t, "alice", 2)
	if err := srv.AwaitAnswers(t.Context(), "alice", 2); err != nil {
		t.Error(err)
	}
	if list := srv.Requests("alice"); len(list) != 2 || list[0].Status != 503 || !list[1].Complete {
		t.Errorf("the journal has %+v", list)
	}
	if got := srv.Tally(); got.Requests != 2 {
		t.Errorf("the tally is %+v", got)
	}
	if srv.Service().Success.Status != 200 || !strings.HasSuffix(srv.BaseURL(), "/api") {
		t.Errorf("the service is %+v, at %s", srv.Service(), srv.BaseURL())
	}
	if answer := record(srv, "alice"); answer.Code != 503 || len(srv.Requests()) != 2 {
		t.Errorf("one more request is answered %d, and the journal has %d", answer.Code, len(srv.Requests()))
	}
}

// The message about fixtures names the folder that is missing.
func TestMissingFolder(t *testing.T) {
	t.Parallel()
	_, err := fake.New(fake.WithFixtures(os.DirFS("testdat")))
	if err == nil || !strings.HasPrefix(err.Error(), "testdat: is no folder that can be read; give one that exists") {
		t.Error(err)
	}
}
