package fake_test

import (
	"net/http/httptest"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Health has the base URL at which the client has reached the server.
func TestHealthHasTheBaseURL(t *testing.T) {
	t.Parallel()
	srv := newHandler(t, fake.WithService(fixtures.Service{BasePath: "/v2"}))
	for url, want := range map[string]string{
		"http://localhost:1/_fake/health": "http://localhost:1/v2",
		"https://campaigns/_fake/health":  "https://campaigns/v2",
	} {
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, httptest.NewRequest("GET", url, nil))
		if got := between(w.Body.String(), `"base_url":"`, `"`); w.Code != 200 || got != want {
			t.Errorf("%s is answered %d with the base URL %s, want %s", url, w.Code, got, want)
		}
	}
}

// A load balancer may ask for health without a host, and is told the address of the listener.
func TestHealthWithoutAHost(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	_, body := exchanged(t, srv, "GET /_fake/health HTTP/1.1\r\nHost: \r\n\r\n")
	if got := between(body, `"base_url":"`, `"`); got != srv.BaseURL() {
		t.Errorf("without a host the base URL is %q in %s, want %s", got, body, srv.BaseURL())
	}
}
