package fake_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// A base URL that the server does not have would turn every request into a 404,
// so that Connect refuses it at once.
func TestConnectComparesTheBasePath(t *testing.T) {
	t.Parallel()
	handler, err := fake.New()
	if err != nil {
		t.Fatal(err)
	}
	outer := httptest.NewServer(handler)
	t.Cleanup(func() {
		handler.Close()
		outer.Close()
	})
	for name, path := range map[string]string{"another": "/v1", "none": "", "a longer one": "/api/v2", "another case": "/API"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tb recorder
			defer func() {
				if p := recover(); p != (fatal{}) || !strings.Contains(tb.text(), "/api") || !strings.Contains(tb.text(), outer.URL+path) {
					t.Errorf("Connect ends with %v: %q; want Fatalf with %s and /api", p, tb.text(), outer.URL+path)
				}
			}()
			fake.Connect(&tb, outer.URL+path)
		})
	}
}

// Requests that match nothing are not those that a test expects: they are not
// counted, and the failure names them.
func TestCheckRequestsCountsWhatMatched(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, tb *recorder, srv steered) {
		root := strings.TrimSuffix(srv.BaseURL(), "/api")
		ask := func(method, path string) {
			t.Helper()
			r, err := http.NewRequest(method, root+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header = bearer("alice")
			send(t, srv, r)
		}
		ask("GET", "/v1/user/campaigns")
		var elsewhere recorder
		srv.CheckRequests(&elsewhere, "alice", 1)
		if !strings.Contains(elsewhere.text(), "GET /v1/user/campaigns") {
			t.Errorf("after one request elsewhere, CheckRequests(1) says %q, want a failure that names the request", elsewhere.text())
		}
		srv.CheckRequests(tb, "alice", 0)

		ask("GET", listPath)
		ask("POST", listPath)
		srv.CheckRequests(tb, "alice", 1)
		if tb.Failed() {
			t.Errorf("requests that matched nothing are counted:\n%s", tb.text())
		}
		var more recorder
		srv.CheckRequests(&more, "alice", 3)
		for _, want := range []string{`1 request of token "alice", want 3`, "GET /v1/user/campaigns", "POST " + listPath} {
			if !strings.Contains(more.text(), want) {
				t.Errorf("the failure does not say %q:\n%s", want, more.text())
			}
		}
	}, fake.WithUser("alice", fake.User{}))
}
