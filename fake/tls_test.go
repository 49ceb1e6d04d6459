package fake_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// certified returns a certificate for 127.0.0.1 and example.com, and the settings of a client that
// trusts it.
func certified() (tls.Certificate, *tls.Config) {
	other := httptest.NewTLSServer(http.NotFoundHandler())
	defer other.Close()
	roots := x509.NewCertPool()
	roots.AddCert(other.Certificate())
	return other.TLS.Certificates[0], &tls.Config{RootCAs: roots, ServerName: "example.com"}
}

// A server uses TLS with a certificate of its own. A client that trusts the certificate reaches the
// server, and no other client does.
func TestTLS(t *testing.T) {
	t.Parallel()
	certificate, trusting := certified()
	alice := fake.WithUser("alice", fixtures.User{Campaigns: []fixtures.Campaign{spring}})
	var log strings.Builder
	srv := newHandler(t, fake.WithTLS(certificate), logTo(&log), alice)
	if err := srv.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(srv.BaseURL(), "https://127.0.0.1:") {
		t.Errorf("the base URL is %s", srv.BaseURL())
	}
	transport := &http.Transport{TLSClientConfig: trusting, ForceAttemptHTTP2: true}
	defer transport.CloseIdleConnections()
	client := reached{srv, &http.Client{Transport: transport}}
	response, body := ask(t, client, "GET", listPath, bearer("alice"))
	if response.StatusCode != 200 || !strings.Contains(body, "Spring") || response.ProtoMajor != 1 {
		t.Errorf("the answer is %s %s %s", response.Proto, response.Status, body)
	}
	_, health := ask(t, client, "GET", "/_fake/health", nil)
	expect(t, health, `"base_url":"`+srv.BaseURL())
	srv.CheckRequests(t, "alice", 1)
	_, err := srv.Client().Get(srv.BaseURL())
	if err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a client that was told nothing gets %v", err)
	}
	srv.Close() // after Close, everything is logged
	expect(t, log.String(), "level=WARN", "http: TLS handshake error from")
}

// A test serves the handler over HTTPS by httptest, with the same faults.
func TestFaultsWithTLS(t *testing.T) {
	t.Parallel()
	reset := fake.WithUser("alice", scripted(fixtures.Reply{Fault: fixtures.FaultReset}))
	handler := newHandler(t, fake.WithTB(t), fake.WithLogger(nil), reset)
	outer := httptest.NewTLSServer(handler)
	defer outer.Close()
	request := newRequest(t, "GET", outer.URL+listPath, bearer("alice"))
	if _, err := outer.Client().Do(request); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the connection ends with %v", err)
	}
	handler.CheckRequests(t, "alice", 1)
}
