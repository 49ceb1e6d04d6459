package fake_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Paths that browsers ask for by themselves, and the control plane, are not part of the service:
// the journal does not list such requests, and the settings do not change their answers. Health is
// answered without a control plane, too.
func TestOutsideTheService(t *testing.T) {
	t.Parallel()
	ok := fixtures.Response{Status: 200, Body: "[]"}
	settings := fake.WithService(fixtures.Service{
		Responses: fixtures.Responses{NotFound: ok, MethodNotAllowed: ok},
	})
	open := fake.NewTestServer(t, settings) // open has a control plane; it is strict
	closed := fake.NewTestServer(t, settings, fake.WithoutControl())
	stranger := http.Header{"Origin": {page}}
	for _, tt := range []struct {
		srv          *fake.Server
		method, path string
		header       http.Header
		want         string
	}{
		{open, "GET", "/favicon.ico", stranger, "403 "},
		{open, "GET", "/_fake/health", stranger, "403 "},
		{open, "GET", "/_fake/health", nil, `200 {"ready":true,`},
		{open, "GET", "/_fake/nothing", nil, "404 "},
		{open, "POST", "/_fake/health", nil, "405 "},
		{closed, "GET", "/_fake/health", nil, `200 {"ready":true}`},
		{closed, "POST", "/_fake/reset", nil, "404 "},
	} {
		response, body := ask(t, tt.srv, tt.method, tt.path, tt.header)
		if got := fmt.Sprint(response.StatusCode, " ", body); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s %s is answered %s, want %s", tt.method, tt.path, got, tt.want)
		}
		if allowed := response.Header.Get("Access-Control-Allow-Origin"); allowed != "" {
			t.Errorf("%s may be read by origin %s", tt.path, allowed)
		}
	}
	if requests := append(open.Requests(), closed.Requests()...); len(requests) != 0 {
		t.Errorf("the journal has %+v", requests)
	}
}
