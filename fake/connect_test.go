package fake_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// A base path that the server does not have ends the test, and the failure names
// both paths.
func TestConnectToAnotherBasePath(t *testing.T) {
	t.Parallel()
	handler, err := fake.New(fake.WithService(fake.Service{BasePath: "/v1/fake"}))
	if err != nil {
		t.Fatal(err)
	}
	outer := httptest.NewServer(handler)
	t.Cleanup(func() {
		handler.Close()
		outer.Close()
	})
	for _, path := range []string{"", "/", "/v1", "/api", "/v1/fake/user", "/V1/fake", "/v1/fake/user/campaigns"} {
		func() {
			var tb recorder
			defer func() {
				want := "the base path /v1/fake, and " + outer.URL
				if p := recover(); p != (fatal{}) || !strings.Contains(tb.text(), want) || !strings.Contains(tb.text(), "use "+outer.URL+"/v1/fake") {
					t.Errorf("Connect with the path %q ends with %v: %s; want %s", path, p, tb.text(), want)
				}
			}()
			fake.Connect(&tb, outer.URL+path)
		}()
	}
	var tb recorder
	if fake.Connect(&tb, outer.URL+"/v1/fake/"); tb.Failed() {
		t.Errorf("the server's own base path fails the test: %s", tb.text())
	}
}

// Requests that matched nothing are not those that a test wants to see, and the
// failure names them.
func TestCheckRequestsOfAnotherProcessCountsWhatMatched(t *testing.T) {
	t.Parallel()
	var tb recorder
	srv := remote(t, &tb, fake.WithUser("alice", fake.User{}))
	list(t, srv, "alice")
	for _, unmatched := range []string{"GET /v1/user/campaigns", "POST /api/user/campaigns"} {
		method, path, _ := strings.Cut(unmatched, " ")
		r, err := http.NewRequest(method, strings.TrimSuffix(srv.BaseURL(), "/api")+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = bearer("alice")
		send(t, srv, r)
	}
	if srv.CheckRequests(&tb, "alice", 1); tb.Failed() {
		t.Errorf("one request matched, and the test fails: %s", tb.text())
	}
	var failing recorder
	srv.CheckRequests(&failing, "alice", 3)
	for _, want := range []string{`campaignfake: 1 request of token "alice", want 3`, "GET /v1/user/campaigns", "no route has this path", "POST /api/user/campaigns"} {
		if !strings.Contains(failing.text(), want) {
			t.Errorf("the failure is %q, want %s in it", failing.text(), want)
		}
	}
}

// A test that has ended is told nothing more: a *testing.T would end the process.
func TestConnectOutlivesTheTest(t *testing.T) {
	t.Parallel()
	var tb recorder
	srv := remote(t, &tb)
	tb.finish()
	if err := srv.RemoveUser("nobody"); err == nil {
		t.Error("RemoveUser of nobody succeeds")
	}
	if tb.Failed() {
		t.Errorf("the test has ended, and is told %s", tb.text())
	}
}

// Who changes a client changes no one else's.
func TestConnectGivesEachCallerAClient(t *testing.T) {
	t.Parallel()
	var tb recorder
	srv := remote(t, &tb, fake.WithUser("alice", fake.User{}))
	srv.Client().Timeout = 1
	if status, _ := list(t, srv, "alice"); status != 200 {
		t.Errorf("the status is %d", status)
	}
}
