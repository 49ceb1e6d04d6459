package fake_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Any URL of a server leads to it.
func TestOpen(t *testing.T) {
	t.Parallel()
	_, root := elsewhere(t, fake.WithService(fixtures.Service{BasePath: "/v1"}))
	for _, path := range []string{"", "/", "/api", "/_fake/", "/v1/user/campaigns?a=b#c"} {
		if client, err := fake.Open(root + path); err != nil || client.BaseURL() != root+"/v1" {
			t.Errorf("Open of %s returns %+v, %v", path, client, err)
		}
	}
}

// A certificate is trusted if its authority is.
func TestOpenOverTLS(t *testing.T) {
	t.Parallel()
	certificate, err := fake.SelfSigned("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	srv := fake.NewTestServer(t, fake.WithTLS(certificate), fake.WithUser("alice", fixtures.User{}))
	if _, err := fake.Open(srv.BaseURL()); err == nil || !strings.Contains(err.Error(), "certificate signed by unknown authority") {
		t.Errorf("without the authority, Open returns %v", err)
	}
	var tb recorder
	own := srv.Client()
	own.Timeout = time.Nanosecond // which the control plane need not keep
	client := fake.Connect(&tb, srv.BaseURL(), fake.WithHTTPClient(own))
	if got := client.HTTPClient(); got == own || got.Transport != own.Transport || got.Timeout != own.Timeout {
		t.Errorf("the client is %+v, want a copy of %+v", got, own)
	}
	client = fake.Connect(&tb, srv.BaseURL(), fake.WithHTTPClient(srv.Client()))
	if status, _ := list(t, remote{client}, "alice"); status != 200 {
		t.Errorf("the status is %d", status)
	}
	client.CheckRequests(&tb, "alice", 1)
	if tb.Failed() {
		t.Errorf("the test fails: %s", tb.text())
	}
}

// A server that is something else is not taken for one of this kind, nor one that breaks off.
func TestOpenSomethingElse(t *testing.T) {
	t.Parallel()
	for want, answer := range map[string]http.HandlerFunc{
		"does not answer as campaignfake does: GET /_fake/health answers 200 OK: \"<html>\"": says(200, "text/html", "<html>"),
		"the control plane is off at ": says(200, "application/json", `{"ready":true}`),
		" cannot be read": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000000000000")
			w.Write([]byte("{"))
		},
	} {
		other := httptest.NewServer(answer)
		defer other.Close()
		if _, err := fake.Open(other.URL); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), other.URL) {
			t.Errorf("Open returns %v, want %s", err, want)
		}
	}
}
