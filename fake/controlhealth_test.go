package fake_test

import (
	"net/http/httptest"
	"strings"
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

// Health answers any host, since load balancers and compose files have names of their own for it. A
// page of another name learns nothing else.
func TestHealthAtAnyHost(t *testing.T) {
	t.Parallel()
	srv := listening(t)
	for _, host := range []string{"", "evil.example", "campaigns.example.com:8642"} {
		request := "GET /_fake/health HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"
		response, body := exchanged(t, srv, request)
		if response.StatusCode != 200 || strings.TrimSpace(body) != `{"ready":true}` {
			t.Errorf("at the host %q, health is answered %s %s", host, response.Status, body)
		}
	}
}
