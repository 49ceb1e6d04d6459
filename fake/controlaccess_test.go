package fake_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// newListed returns a server whose control plane a page and a host may use. CORS is off, so that
// pages read nothing of the service itself.
func newListed(t *testing.T, log io.Writer) *fake.Server {
	t.Helper()
	return newHandler(t,
		logTo(log),
		fake.WithControlOrigins("https://app.example.com"),
		fake.WithControlOrigins(page),
		fake.WithControlHosts("campaigns.EXAMPLE.com"),
		fake.WithUser("alice", fixtures.User{}),
		fake.WithService(fixtures.Service{CORS: []string{"off"}}),
	)
}

// fromPage returns the answer to a request of a page with this origin. With the origin "" no page
// sends it.
func fromPage(
	srv *fake.Server, method, url, origin string, more http.Header,
) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, url, nil)
	if more != nil {
		r.Header = more
	}
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	w := httptest.NewRecorder()
	srv.ServeHTTP(w, r)
	return w
}

// A request for a host or from an origin that is not listed is refused, and the message says what
// to list. If both are wrong, it names the host, since listing the origin would not help. The log
// has the message, too, since browsers show nobody the answer to a preflight.
func TestControlRefusesStrangers(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	srv := newListed(t, &log)
	const here, evil = "http://localhost", "http://evil.example"
	for _, tt := range []struct {
		host, origin string
		want         string // a part of the refusal; "" for no refusal
	}{
		{here, "", ""},
		{here, page, ""},
		{"http://campaigns.example.com:8642", "", ""},
		{evil, "", "--control-hosts (in Go, fake.WithControlHosts)"},
		{evil, page, "--control-hosts"},
		{evil, evil + ":1", "--control-hosts"},
		{here, evil, "--control-origins (in Go, fake.WithControlOrigins)"},
	} {
		for _, method := range []string{"GET", "OPTIONS"} {
			preflight := http.Header{
				"Access-Control-Request-Method": {"GET"},
				"X-Forwarded-Host":              {"localhost"},
			}
			w := fromPage(srv, method, tt.host+"/_fake/requests", tt.origin, preflight)
			if (w.Code == 403) != (tt.want != "") || !strings.Contains(w.Body.String(), tt.want) {
				t.Errorf("%s at %s of %q is answered %d %s, want %q",
					method, tt.host, tt.origin, w.Code, w.Body, tt.want)
			}
			allowed := w.Header().Get("Access-Control-Allow-Origin")
			if (allowed == page) != (tt.origin == page) { // the page may read why it is refused
				t.Errorf("the answer at %s to %q may be read by %q", tt.host, tt.origin, allowed)
			}
		}
	}
	expect(t, log.String(), "a request to the control plane was refused", "--control-origins")
}

// Pages of listed origins use the control plane as programs do, and not the service itself.
func TestControlServesListedPages(t *testing.T) {
	t.Parallel()
	srv := newListed(t, io.Discard)
	const users = "http://localhost/_fake/users?token=alice"
	w := fromPage(srv, "OPTIONS", users, page, http.Header{
		"Access-Control-Request-Method": {"DELETE"},
	})
	if got := w.Header().Get("Access-Control-Allow-Methods"); w.Code != 204 || got != "DELETE" {
		t.Errorf("the preflight is answered %d %v", w.Code, w.Header())
	}
	crossSite := http.Header{"Sec-Fetch-Site": {"cross-site"}}
	if w := fromPage(srv, "DELETE", users, page, crossSite); w.Code != 204 ||
		w.Header().Get("Access-Control-Allow-Origin") != page || w.Header().Get("Vary") != "Origin" {
		t.Errorf("the call is answered %d %v", w.Code, w.Header())
	}
	w = fromPage(srv, "GET", "http://localhost"+listPath, page, bearer("alice"))
	if got := w.Header().Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("the service may be read by %q", got)
	}
}

// A malformed host or origin is a mistake of its option.
func TestControlAccessThatIsWrong(t *testing.T) {
	t.Parallel()
	for want, option := range map[string]fake.Option{
		`WithControlHosts: "a.example:8642" is not a host alone`: fake.WithControlHosts(
			"a", "a.example:8642"),
		`WithControlOrigins: "*" is not an origin`: fake.WithControlOrigins(page, "*"),
	} {
		if _, err := fake.New(option); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}
