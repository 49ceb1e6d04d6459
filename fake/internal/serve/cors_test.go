package serve_test

import (
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fixtures"
)

// The headers of CORS say who may read an answer, and the reason of a preflight says the same.
func TestCORS(t *testing.T) {
	t.Parallel()
	const other = "http://other.test"
	for _, tt := range []struct {
		cors, origin, preflight string // preflight "" sends a GET
		status                  int
		allowed                 string
		reason                  string
	}{
		{"any", page, "", 401, "*", "there is no Authorization header"},
		{page, other, "", 401, "", "there is no Authorization header"},
		{"off", page, "", 401, "", "there is no Authorization header"},
		{
			"any", page, "GET", 204, "*", "preflight: the browser may send the request " +
				`for origin http://localhost:5173, without cookies ` +
				`(for credentials: "include", service.cors has to list the origin)`,
		},
		{
			page, page, "POST", 204, page,
			"preflight: the browser may send the request for origin http://localhost:5173",
		},
		{
			page, other, "GET", 204, "",
			"preflight refused: service.cors does not list the origin http://other.test",
		},
		{
			"any", "", "GET", 204, "",
			"preflight refused: it has no Origin, which every browser sends",
		},
		{
			"any", page, "PURGE", 204, "",
			"preflight refused: browsers cannot be allowed the method PURGE",
		},
		{"off", page, "GET", 405, "", "preflight refused: service.cors is off"},
	} {
		h := newHandler(t, withService(fixtures.Service{CORS: []string{tt.cors}}))
		header := make(http.Header)
		if tt.origin != "" {
			header.Set("Origin", tt.origin)
		}
		method := "GET"
		if tt.preflight != "" {
			method = "OPTIONS"
			header.Set("Access-Control-Request-Method", tt.preflight)
		}
		w := ask(h, method, listPath, header)
		allowed := w.Header().Get("Access-Control-Allow-Origin")
		if w.Code != tt.status || allowed != tt.allowed || reasonOf(h) != tt.reason {
			t.Errorf("with cors %s, %s of %q is answered %d, allowed for %q, %s; want %+v",
				tt.cors, method, tt.origin, w.Code, allowed, reasonOf(h), tt)
		}
	}
}

// The settings can add a header Vary. It does not replace the Vary of CORS, which every answer has,
// also an answer to a program.
func TestVary(t *testing.T) {
	t.Parallel()
	for cors, want := range map[string]string{"any": "Origin, Accept", "off": "Accept"} {
		success := fixtures.Response{Headers: http.Header{"vary": {"Accept"}}}
		h := newHandler(t,
			withUser("alice", fixtures.User{}),
			withService(fixtures.Service{Success: success, CORS: []string{cors}}),
		)
		for range 2 {
			w := ask(h, "GET", listPath, bearer("alice"))
			if got := joined(w.Header()["Vary"]); got != want {
				t.Errorf("with cors %s, Vary is %q, want %q", cors, got, want)
			}
		}
	}
}

func joined(values []string) string {
	return strings.Join(values, ", ")
}

// A page that sends cookies may read the headers that settings and replies add, although the
// asterisk exposes nothing to such a page. A reply that sets Access-Control-Expose-Headers
// itself keeps its value.
func TestExposedHeaders(t *testing.T) {
	t.Parallel()
	const byDefault = "Www-Authenticate, Retry-After, Allow, Date, *"
	added := http.Header{
		"X-Own":                  {"1"},
		"Set-Cookie":             {"a=b"},
		"Retry-After":            {"2"},
		"Access-Control-Max-Age": {"3"},
	}
	own := http.Header{"X-Own": {"1"}, "Access-Control-Expose-Headers": {"X-Other"}}
	for _, tt := range []struct {
		cors    string
		headers http.Header
		want    string
	}{
		{page, added, byDefault + ", Content-Type, X-Own"},
		{page, own, "X-Other"},
		{"any", added, byDefault},
	} {
		h := newHandler(t,
			withUser("alice", fixtures.User{Replies: []fixtures.Reply{{Headers: tt.headers}}}),
			withService(fixtures.Service{CORS: []string{tt.cors}}),
		)
		header := bearer("alice")
		header.Set("Origin", page)
		w := ask(h, "GET", listPath, header)
		if got := joined(w.Header()["Access-Control-Expose-Headers"]); got != tt.want {
			t.Errorf("with cors %s, a page may read %s, want %s", tt.cors, got, tt.want)
		}
	}
}
