package fake_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A client that has the server as its proxy for https:// learns that it is none.
func TestProxyIsNone(t *testing.T) {
	t.Parallel()
	var tb recorder
	srv := fake.NewTestServer(&tb)
	response, body := exchanged(t, srv, "CONNECT service.test:443 HTTP/1.1\r\nHost: service.test:443\r\n\r\n")
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
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy), DisableKeepAlives: true}}
	response, _ := send(t, client, newRequest(t, "GET", "http://service.test"+listPath+"?a=%62", bearer("alice")))
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
