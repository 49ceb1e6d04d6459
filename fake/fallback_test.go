package fake_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// newRest returns the rest of an API, for WithFallback.
func newRest() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/api/me", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Method+" Sam")
	})
	mux.HandleFunc("/api/panic", func(http.ResponseWriter, *http.Request) { panic("oh") })
	return mux
}

// A fallback answers the other paths of the API below the base URL, by a port, in memory, in a
// bubble, and behind a mux. The campaigns stay the fake's.
func TestFallback(t *testing.T) {
	t.Parallel()
	alice := fake.WithUser("alice", fixtures.User{
		Campaigns: []fixtures.Campaign{},
		Delay:     &fixtures.Delay{Fixed: time.Millisecond},
	})
	check := func(t *testing.T, client *http.Client, baseURL string) {
		t.Helper()
		for path, want := range map[string]string{
			"/me":             "GET Sam",
			"/user/campaigns": `{"campaigns":[]}`,
		} {
			r := newRequest(t, "GET", baseURL+path, bearer("alice"))
			response, body := send(t, client, r)
			if response.StatusCode != 200 || body != want {
				t.Errorf("%s is answered %s %s, want %s", path, response.Status, body, want)
			}
		}
	}
	t.Run("by a port", func(t *testing.T) {
		t.Parallel()
		srv := fake.NewTestServer(t, alice, fake.WithFallback(newRest()))
		check(t, srv.Client(), srv.BaseURL())
	})
	t.Run("in a bubble", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			srv := fake.NewTestServer(t, alice, fake.WithFallback(newRest()), fake.WithInMemory())
			check(t, srv.Client(), srv.BaseURL())
		})
	})
	t.Run("behind a mux", func(t *testing.T) {
		t.Parallel()
		handler := newHandler(t, fake.WithTB(t), alice, fake.WithFallback(newRest()))
		mux := http.NewServeMux()
		mux.Handle("/", handler)
		outer := httptest.NewServer(mux)
		t.Cleanup(outer.Close)
		check(t, outer.Client(), outer.URL+handler.BaseURL())
	})
}

// With a fallback, a strict test fails because of what is a mistake about the campaigns, and
// because of a panic. What the handler does not know is its own 404.
func TestFallbackIsStrict(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		path string
		want string // a part of the failure; "" for none
	}{
		"a path of the handler":    {"/api/me?page=2", ""},
		"a path of nobody":         {"/api/nobody", ""},
		"a near miss":              {"/api/user/campaigns/", "it ends in a slash"},
		"a query of the campaigns": {"/api/user/campaigns?page=2", "a query parameter was sent"},
		"a panic":                  {"/api/panic", "the handler panicked on GET /api/panic"},
	} {
		var tb recorder
		srv := fake.NewTestServer(&tb, fake.WithFallback(newRest()))
		root := strings.TrimSuffix(srv.BaseURL(), "/api")
		response, err := srv.Client().Get(root + tt.path)
		if err == nil {
			response.Body.Close()
		}
		tb.finish()
		isRight := strings.Contains(tb.text(), tt.want) && tb.Failed() == (tt.want != "")
		if !isRight {
			t.Errorf("%s: the test fails with %q, want %q", name, tb.text(), tt.want)
		}
	}
}

// Pages on localhost can read the answers of a fallback and send cookies, unless CORS is set, and
// their preflights are answered by the server.
func TestFallbackHasCORS(t *testing.T) {
	t.Parallel()
	const page, other = "http://localhost:5173", "https://evil.example"
	srv := fake.NewTestServer(t, fake.WithFallback(newRest()))
	for origin, want := range map[string]string{page: page, other: ""} {
		r := newRequest(t, "GET", srv.BaseURL()+"/me", http.Header{"Origin": {origin}})
		response, _ := send(t, srv.Client(), r)
		if got := response.Header.Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("%s is answered that %q may read", origin, got)
		}
	}
	r := newRequest(t, "OPTIONS", srv.BaseURL()+"/me", http.Header{
		"Origin":                        {page},
		"Access-Control-Request-Method": {"PUT"},
	})
	response, _ := send(t, srv.Client(), r)
	allowed := response.Header.Get("Access-Control-Allow-Methods")
	if response.StatusCode != http.StatusNoContent || allowed != "PUT" {
		t.Errorf("a preflight is answered %s, and allows %q", response.Status, allowed)
	}
}

// A fault is not hidden: an answer of the fallback before it ends its connection, too, so that no
// client repeats the request.
func TestFallbackBeforeAFault(t *testing.T) {
	t.Parallel()
	handler := newHandler(t, fake.WithFallback(newRest()),
		fake.WithUser("alice", scripted(fixtures.Reply{Fault: fixtures.FaultReset})))
	outer := httptest.NewServer(handler)
	t.Cleanup(outer.Close)
	base := outer.URL + handler.BaseURL()
	response, _ := send(t, outer.Client(), newRequest(t, "GET", base+"/me", nil))
	if !response.Close {
		t.Error("the connection can be used again")
	}
	_, err := outer.Client().Do(newRequest(t, "GET", base+"/user/campaigns", bearer("alice")))
	if err == nil {
		t.Error("the request was repeated")
	}
}
