package fake_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

func TestNearMisses(t *testing.T) {
	t.Parallel()
	for path, hint := range map[string]string{
		"/user/campaigns":         "the base path /api is missing",
		"/api/user/campaigns/":    "it ends in a slash",
		"/api//user/campaigns":    "it has a doubled slash",
		"//api/user/campaigns":    "it has a doubled slash",
		"/API/User/campaigns":     "its letters are in another case",
		"/api/user%2Fcampaigns":   "parts of it are percent-encoded",
		"/api/user/c%61mpaigns":   "parts of it are percent-encoded",
		"/api/api/user/campaigns": "the base path /api is there twice",
		"/user//campaigns/": "it has a doubled slash, and it ends in a slash, " +
			"and the base path /api is missing",
		"/api/user/campaign":         "The path is /api/user/campaign.",
		"/api/user/campaigns/1":      "The path is /api/user/campaigns/1.",
		"/api/user/campaigns/../../": "The path is",
		"/api":                       "The path is /api.",
		"/%00%ff":                    "The path is /%00%ff.",
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t, fake.WithLenient())
			response, body := exchanged(t, srv, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n")
			if response.StatusCode != 404 {
				t.Fatalf("status is %d", response.StatusCode)
			}
			detail := checkProblem(t, response, body, 404)
			if !strings.Contains(detail, hint) ||
				!strings.Contains(detail, "GET /api/user/campaigns") {
				t.Errorf("detail is %q, want it to say %q, and what is right", detail, hint)
			}
			requests := srv.Requests()
			if len(requests) != 1 || !requests[0].Unmatched || requests[0].URL != path {
				t.Errorf("the journal has %+v", requests)
			}
		})
	}
}

func TestOtherMethods(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fixtures.User{}))
	for _, method := range []string{
		"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "get", "FROB",
	} {
		response, body := ask(t, srv, method, listPath, bearer("alice"))
		allowed := response.Header.Get("Allow")
		if response.StatusCode != 405 || allowed != "GET, HEAD" || !strings.Contains(body, method) {
			t.Errorf("%s is answered %d, Allow %q\n%s", method, response.StatusCode, allowed, body)
		}
	}
	for _, r := range srv.Requests() {
		if !r.Unmatched {
			t.Errorf("%s is not marked as unmatched", r.Method)
		}
	}
}

// Paths that browsers ask for by themselves, and the control plane, are no part of the service,
// and are not answered as its settings say. Health is answered without a control plane, too.
func TestOutsideTheService(t *testing.T) {
	t.Parallel()
	ok := fixtures.Response{Status: 200, Body: "[]"}
	settings := fake.WithService(fixtures.Service{
		Responses: fixtures.Responses{NotFound: ok, MethodNotAllowed: ok},
	})
	open := fake.NewTestServer(t, settings) // strict
	closed := fake.NewTestServer(t, settings, fake.WithoutControl())
	stranger := http.Header{"Origin": {page}}
	for _, tt := range []struct {
		srv          *fake.Server
		method, path string
		header       http.Header
		want         string
	}{
		{open, "GET", "/favicon.ico", stranger, "403 "},
		{open, "GET", "/_fake/nothing", stranger, "403 "},
		{open, "GET", "/_fake/health", stranger, "403 "},
		{open, "GET", "/_fake/health", nil, `200 {"ready":true,`},
		{open, "GET", "/_fake/nothing", nil, "404 "}, {open, "POST", "/_fake/health", nil, "405 "},
		{closed, "GET", "/_fake/health", nil, `200 {"ready":true}`},
		{closed, "GET", "/_fake/users", nil, "404 "},
		{closed, "POST", "/_fake/reset", nil, "404 "},
		{closed, "GET", "/_fake/events", nil, "404 "},
	} {
		response, body := ask(t, tt.srv, tt.method, tt.path, tt.header)
		if got := fmt.Sprint(response.StatusCode, " ", body); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s %s is answered %s, want %s", tt.method, tt.path, got, tt.want)
		}
		if allowed := response.Header.Get("Access-Control-Allow-Origin"); allowed != "" {
			t.Errorf("%s may be read by origin %s", tt.path, allowed)
		}
	}
	// A health check may name no host.
	response, body := exchanged(t, open, "GET /_fake/health HTTP/1.1\r\nHost: \r\n\r\n")
	if response.StatusCode != 200 {
		t.Errorf("without a host, health is answered %s %s", response.Status, body)
	}
	if requests := append(open.Requests(), closed.Requests()...); len(requests) != 0 {
		t.Errorf("the journal has %+v", requests)
	}
	// What only looks like the control plane is a request like any other.
	lenient := fake.NewTestServer(t, fake.WithLenient())
	ask(t, lenient, "GET", "/_fakes", nil)
	if requests := lenient.Requests(); len(requests) != 1 || !requests[0].Unmatched {
		t.Errorf("the journal has %+v", requests)
	}
}

// A client that has the server as its proxy for https:// learns that it is none.
func TestProxyIsNone(t *testing.T) {
	t.Parallel()
	var tb recorder
	srv := fake.NewTestServer(&tb)
	response, body := exchanged(t, srv,
		"CONNECT service.test:443 HTTP/1.1\r\nHost: service.test:443\r\n\r\n")
	tb.finish()
	if response.StatusCode != 404 {
		t.Errorf("the answer is %s", response.Status)
	}
	expect(t, body, "this server is none. Only GET")
	expect(t, tb.text(), "which is for proxies")
	requests := srv.Requests()
	if len(requests) != 1 || !strings.Contains(requests[0].Reason, "this server is none") {
		t.Errorf("the journal has %+v", requests)
	}
}

// A client that has the server as its proxy sends whole URLs. The journal has their paths,
// as for every other request.
func TestRequestsInAbsoluteForm(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fixtures.User{}))
	proxy, err := url.Parse(rootOf(srv))
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{
		Transport: &http.Transport{Proxy: http.ProxyURL(proxy), DisableKeepAlives: true},
	}
	response, _ := send(t, client,
		newRequest(t, "GET", "http://service.test"+listPath+"?a=%62", bearer("alice")))
	if response.StatusCode != 200 {
		t.Errorf("the answer is %s", response.Status)
	}
	requests := listed(t, srv, "unmatched=false")
	if len(requests) != 1 {
		t.Fatalf("%d requests are found by their path: %+v", len(requests), srv.Requests())
	}
	if got := requests[0]; got.URL != listPath+"?a=%62" || got.Host != "service.test" {
		t.Errorf("the journal has the host %s and the URL %s", got.Host, got.URL)
	}
}
