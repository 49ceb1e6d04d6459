package plan_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/campaignfake/fake/internal/plan"
)

// headersOf returns the headers with which CORS answers a request of a page.
func headersOf(setting []string, method string, more http.Header) http.Header {
	r := httptest.NewRequest(method, "/", nil)
	r.Header.Set("Origin", "http://a.test")
	for name := range more {
		r.Header.Set(name, more.Get(name))
	}
	w := httptest.NewRecorder()
	plan.NewCORS(setting).ServeHTTP(w, r, func(http.ResponseWriter, *http.Request) {})
	return w.Header()
}

// A page may read every answer, and send every usual request, with any header.
func TestCORS(t *testing.T) {
	t.Parallel()
	preflight := http.Header{
		"Access-Control-Request-Method":          {"DELETE"},
		"Access-Control-Request-Headers":         {"authorization,x-other"},
		"Access-Control-Request-Private-Network": {"true"},
	}
	for _, tt := range []struct {
		setting              []string
		allowed, credentials string
	}{
		{[]string{"any"}, "*", ""},
		{[]string{"http://b.test", "http://a.test"}, "http://a.test", "true"},
	} {
		answer := headersOf(tt.setting, "GET", nil)
		for name, want := range map[string]string{
			"Access-Control-Allow-Origin":      tt.allowed,
			"Access-Control-Allow-Credentials": tt.credentials,
			"Access-Control-Expose-Headers":    "Www-Authenticate, Retry-After, Allow, Date, *",
		} {
			if got := answer.Get(name); got != want {
				t.Errorf("with %q, an answer has %s: %q, want %q", tt.setting, name, got, want)
			}
		}
		allowed := headersOf(tt.setting, "OPTIONS", preflight)
		for name, want := range map[string]string{
			"Access-Control-Allow-Origin":          tt.allowed,
			"Access-Control-Allow-Credentials":     tt.credentials,
			"Access-Control-Allow-Methods":         "DELETE",
			"Access-Control-Allow-Headers":         "authorization,x-other",
			"Access-Control-Allow-Private-Network": "true",
			"Access-Control-Max-Age":               "600",
		} {
			if got := allowed.Get(name); got != want {
				t.Errorf("with %q, a preflight has %s: %q, want %q", tt.setting, name, got, want)
			}
		}
	}
	got := headersOf([]string{"http://b.test"}, "GET", nil).Get("Access-Control-Allow-Origin")
	if got != "" {
		t.Errorf("a page that is not listed is allowed as %q", got)
	}
}
