package fake_test

import (
	"net/http"
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

// Pages of origins that are listed may read answers, and no others.
func TestListedOriginsMayRead(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithService(fixtures.Service{CORS: []string{page}}))
	for origin, want := range map[string]string{page: page, "http://localhost:3000": ""} {
		response, _ := ask(t, srv, "OPTIONS", listPath, preflight(origin))
		if got := response.Header.Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("the preflight of %s is allowed for %q, want %q", origin, got, want)
		}
	}
}
