package fake_test

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// Load balancers ask for health in HTTP/1.0, without a host. Nothing else of the control
// plane can be had like that.
func TestHealthWithoutHost(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	base, err := url.Parse(srv.BaseURL())
	if err != nil {
		t.Fatal(err)
	}
	for request, want := range map[string]string{
		"GET /_fake/health HTTP/1.0\r\n\r\n":                          "HTTP/1.0 200 ",
		"HEAD /_fake/health HTTP/1.0\r\n\r\n":                         "HTTP/1.0 200 ",
		"GET /_fake/health HTTP/1.0\r\nOrigin: http://a.test\r\n\r\n": "HTTP/1.0 403 ",
		"GET /_fake/health HTTP/1.0\r\nHost: a.test\r\n\r\n":          "HTTP/1.0 403 ",
		"GET /_fake/users HTTP/1.0\r\n\r\n":                           "HTTP/1.0 403 ",
		"POST /_fake/reset HTTP/1.0\r\n\r\n":                          "HTTP/1.0 403 ",
	} {
		conn, err := net.Dial("tcp", base.Host)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, request)
		answer, err := io.ReadAll(conn)
		if err != nil || !strings.HasPrefix(string(answer), want) {
			t.Errorf("%q is answered %q, %v", request, answer, err)
		}
		if strings.HasPrefix(request, "GET") && strings.HasSuffix(want, " 200 ") && !strings.Contains(string(answer), `"base_url":"`+srv.BaseURL()+`"`) {
			t.Errorf("%q is answered %q, without the base URL", request, answer)
		}
	}
}
