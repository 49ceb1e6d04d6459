package fake_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// page is the origin of a page.
const page = "http://localhost:5173"

// preflight returns the header with which a browser asks whether a page may send a token.
func preflight(origin string) http.Header {
	return http.Header{
		"Origin":                                 {origin},
		"Access-Control-Request-Method":          {"GET"},
		"Access-Control-Request-Headers":         {"authorization"},
		"Access-Control-Request-Private-Network": {"true"},
	}
}

// corsServer returns a lenient server with a setting of CORS.
func corsServer(t *testing.T, cors ...string) *fake.Server {
	t.Helper()
	service := fixtures.Service{CORS: cors}
	return fake.NewTestServer(t,
		fake.WithLenient(),
		fake.WithService(service),
		fake.WithUser("alice", fixtures.User{}),
	)
}

// By default pages of any origin may read answers, and send the header with the token.
func TestAnyOriginMayRead(t *testing.T) {
	t.Parallel()
	srv := corsServer(t)
	response, _ := ask(t, srv, "OPTIONS", listPath, preflight(page))
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin":          "*",
		"Access-Control-Allow-Methods":         "GET",
		"Access-Control-Allow-Headers":         "authorization",
		"Access-Control-Allow-Private-Network": "true",
		"Access-Control-Max-Age":               "600",
		"Access-Control-Allow-Credentials":     "",
	} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("the preflight has %s: %q, want %q", name, got, want)
		}
	}
	vary := response.Header.Get("Vary")
	if response.StatusCode != 204 || !strings.Contains(vary, "Access-Control-Request-Headers") {
		t.Errorf("the preflight is answered %d, Vary %q", response.StatusCode, vary)
	}

	// Errors can be read as well as answers.
	for path, header := range map[string]http.Header{
		listPath:       bearer("alice"),
		listPath + "?": bearer("bob"),
		"/elsewhere":   {},
	} {
		header.Set("Origin", page)
		response, _ := ask(t, srv, "GET", path, header)
		if response.Header.Get("Access-Control-Allow-Origin") != "*" ||
			response.Header.Get("Vary") != "Origin" {
			t.Errorf("%s has the headers %v", path, response.Header)
		}
		// The asterisk does not hold for requests with cookies: what the service
		// sends by itself is named.
		exposed := strings.ToLower(response.Header.Get("Access-Control-Expose-Headers"))
		for _, want := range []string{"www-authenticate", "retry-after", "allow", "*"} {
			if !slices.Contains(strings.Split(exposed, ", "), want) {
				t.Errorf("%s exposes %q, and not %s", path, exposed, want)
			}
		}
	}
}

// Pages of origins that are listed may, with cookies, and no others.
func TestListedOriginsMayRead(t *testing.T) {
	t.Parallel()
	srv := corsServer(t, page, "https://app.example.com")
	for origin, want := range map[string]string{
		page:                      page,
		"https://app.example.com": "https://app.example.com",
		"http://localhost:3000":   "",
		"null":                    "",
	} {
		response, _ := ask(t, srv, "OPTIONS", listPath, preflight(origin))
		if got := response.Header.Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("the preflight of %s is allowed for %q, want %q", origin, got, want)
		}
		header := bearer("alice")
		header.Set("Origin", origin)
		response, _ = ask(t, srv, "GET", listPath, header)
		if got := response.Header.Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("the request of %s may be read by %q, want %q", origin, got, want)
		}
		if response.Header.Get("Vary") != "Origin" {
			t.Errorf("Vary is %q", response.Header.Get("Vary"))
		}
		cookies := response.Header.Get("Access-Control-Allow-Credentials") == "true"
		if cookies != (want != "") {
			t.Errorf("that %s may send cookies along is %v", origin, cookies)
		}
	}
	for _, r := range srv.Requests("") {
		origin := r.Header.Get("Origin")
		isRefused := strings.Contains(r.Reason,
			"refused: service.cors does not list the origin "+origin)
		isListed := strings.Contains(origin, "app") || origin == page
		if isRefused == isListed {
			t.Errorf("the preflight of %s has the reason %q", origin, r.Reason)
		}
	}
}

// The journal says what the browser is told, whatever the reason.
func TestRefusedPreflights(t *testing.T) {
	t.Parallel()
	srv := corsServer(t)
	purge := preflight(page)
	purge.Set("Access-Control-Request-Method", "PURGE")
	bare := preflight(page)
	bare.Del("Origin")
	for want, header := range map[string]http.Header{
		"preflight refused: browsers cannot be allowed the method PURGE": purge,
		"preflight refused: it has no Origin, which every browser sends": bare,
	} {
		srv.ClearRequests()
		response, _ := ask(t, srv, "OPTIONS", listPath, header)
		allowed := response.Header.Get("Access-Control-Allow-Origin")
		if response.StatusCode != 204 || allowed != "" {
			t.Errorf("the preflight is answered %d, allowed for %q", response.StatusCode, allowed)
		}
		if got := srv.Requests()[0].Reason; got != want {
			t.Errorf("the reason is %q, want %q", got, want)
		}
	}
}

// A header that a setting adds does not take one of CORS away.
func TestVaryIsAdded(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}),
		fake.WithService(fixtures.Service{
			Success: fixtures.Response{Headers: http.Header{"vary": {"Accept"}}},
		}))
	for range 2 {
		response, _ := ask(t, srv, "GET", listPath, bearer("alice"))
		if got := strings.Join(response.Header.Values("Vary"), ", "); got != "Origin, Accept" {
			t.Errorf("Vary is %q", got)
		}
	}
}

// Without CORS there are no headers of it, and a preflight is a request like any other.
func TestCORSOff(t *testing.T) {
	t.Parallel()
	srv := corsServer(t, "off")
	header := bearer("alice")
	header.Set("Origin", page)
	answer, _ := ask(t, srv, "GET", listPath, header)
	refused, _ := ask(t, srv, "OPTIONS", listPath, preflight(page))
	if answer.StatusCode != 200 || refused.StatusCode != 405 {
		t.Errorf("the request is answered %d, the preflight %d",
			answer.StatusCode, refused.StatusCode)
	}
	for _, response := range []*http.Response{answer, refused} {
		for name := range response.Header {
			if strings.HasPrefix(name, "Access-Control-") || name == "Vary" {
				t.Errorf("there is a header %s", name)
			}
		}
	}
	r := srv.Requests("")[0]
	if r.Unmatched || r.Reason != "preflight refused: service.cors is off" {
		t.Errorf("the preflight is in the journal as %+v", r)
	}
}
