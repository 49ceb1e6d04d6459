package fake_test

import (
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

const page = "http://localhost:5173"

func preflight(origin string) http.Header {
	return http.Header{
		"Origin":                                 {origin},
		"Access-Control-Request-Method":          {"GET"},
		"Access-Control-Request-Headers":         {"authorization"},
		"Access-Control-Request-Private-Network": {"true"},
	}
}

func corsServer(t *testing.T, cors ...string) *fake.Server {
	return fake.NewTestServer(t, fake.WithUser("alice", fake.User{}), fake.WithService(fake.Service{CORS: cors}), fake.Lenient())
}

func TestAnyOriginMayRead(t *testing.T) {
	t.Parallel()
	srv := corsServer(t)
	response, _ := ask(t, srv, "OPTIONS", listPath, preflight(page))
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin":          "*",
		"Access-Control-Allow-Methods":         "GET",
		"Access-Control-Allow-Headers":         "authorization",
		"Access-Control-Allow-Private-Network": "true",
	} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("the preflight has %s: %q, want %q", name, got, want)
		}
	}
	if response.StatusCode != 204 || !strings.Contains(response.Header.Get("Vary"), "Access-Control-Request-Headers") {
		t.Errorf("the preflight is answered %d, Vary %q", response.StatusCode, response.Header.Get("Vary"))
	}

	// Errors can be read as well as answers.
	for path, header := range map[string]http.Header{listPath: bearer("alice"), listPath + "?": bearer("bob"), "/elsewhere": {}} {
		header.Set("Origin", page)
		response, _ := ask(t, srv, "GET", path, header)
		if response.Header.Get("Access-Control-Allow-Origin") != "*" || response.Header.Get("Vary") != "Origin" {
			t.Errorf("%s has the headers %v", path, response.Header)
		}
		if exposed := response.Header.Get("Access-Control-Expose-Headers"); !strings.Contains(exposed, "*") {
			t.Errorf("%s exposes %q", path, exposed)
		}
	}
}

func TestListedOriginsMayRead(t *testing.T) {
	t.Parallel()
	srv := corsServer(t, page, "https://app.example.com")
	for origin, want := range map[string]string{page: page, "https://app.example.com": "https://app.example.com", "http://localhost:3000": "", "null": ""} {
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
	}
	for _, r := range srv.Requests("") {
		refused := strings.Contains(r.Reason, "refused: service.cors does not list the origin "+r.Header.Get("Origin"))
		if listed := strings.Contains(r.Header.Get("Origin"), "app") || r.Header.Get("Origin") == page; refused == listed {
			t.Errorf("the preflight of %s has the reason %q", r.Header.Get("Origin"), r.Reason)
		}
	}
}

func TestCORSOff(t *testing.T) {
	t.Parallel()
	srv := corsServer(t, "off")
	header := bearer("alice")
	header.Set("Origin", page)
	answer, _ := ask(t, srv, "GET", listPath, header)
	refused, _ := ask(t, srv, "OPTIONS", listPath, preflight(page))
	if answer.StatusCode != 200 || refused.StatusCode != 405 {
		t.Errorf("the request is answered %d, the preflight %d", answer.StatusCode, refused.StatusCode)
	}
	for _, response := range []*http.Response{answer, refused} {
		for name := range response.Header {
			if strings.HasPrefix(name, "Access-Control-") || name == "Vary" {
				t.Errorf("there is a header %s", name)
			}
		}
	}
	if r := srv.Requests("")[0]; r.Unmatched || r.Reason != "preflight refused: service.cors is off" {
		t.Errorf("the preflight is in the journal as %+v", r)
	}
}
