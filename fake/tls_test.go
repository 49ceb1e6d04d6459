package fake_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A server uses TLS, its client trusts it, and nobody else does.
func TestTLS(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]fake.Option{"on a port": nil, "in memory": {fake.WithInMemory()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t, append(options, fake.WithTLS(), fake.WithUser("alice", fixtures.User{Campaigns: []fixtures.Campaign{spring}}))...)
			if !strings.HasPrefix(srv.BaseURL(), "https://") {
				t.Errorf("the base URL is %s", srv.BaseURL())
			}
			response, body := ask(t, srv, "GET", listPath, bearer("alice"))
			if response.StatusCode != 200 || !strings.Contains(body, "Spring") || response.ProtoMajor != 1 {
				t.Errorf("the answer is %s %s %s", response.Proto, response.Status, body)
			}
			if _, health := ask(t, srv, "GET", "/_fake/health", nil); !strings.Contains(health, `"base_url":"`+srv.BaseURL()) {
				t.Errorf("the base URL is not %s in %s", srv.BaseURL(), health)
			}
			srv.CheckRequests(t, "alice", 1)
		})
	}
	srv := fake.NewTestServer(t, fake.WithTLS(), fake.WithLogger(nil))
	if _, err := new(http.Client).Get(srv.BaseURL()); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a client that was told nothing gets %v", err)
	}
}

// A server speaks HTTP/1.1 alone, whatever its clients would like to, with the same faults,
// and nobody repeats a request because of them.
func TestFaultsWithTLS(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"reset", "close", "truncate", "bad_json", "wrong_type"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t, fake.WithTLS(), fake.WithLogger(nil), fake.WithUser("alice", fixtures.User{
				Campaigns: []fixtures.Campaign{spring}, Replies: []fixtures.Reply{{Fault: fixtures.Fault(fault)}},
			}))
			transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: srv.RootCAs()}, ForceAttemptHTTP2: true}
			defer transport.CloseIdleConnections()
			response, err := (&http.Client{Transport: transport}).Do(listRequest(t, srv, "alice"))
			if err == nil {
				if response.ProtoMajor != 1 {
					t.Errorf("the protocol is %s", response.Proto)
				}
				_, err = io.ReadAll(response.Body)
				response.Body.Close()
			}
			if whole := fault == "bad_json" || fault == "wrong_type"; (err == nil) != whole {
				t.Errorf("the answer breaks with %v", err)
			}
			if fault == "reset" && !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("the connection ends with %v", err)
			}
			srv.CheckRequests(t, "alice", 1)
		})
	}
}

// A certificate names what it was made for, and clients take it for an anchor.
func TestSelfSigned(t *testing.T) {
	t.Parallel()
	certificate, err := fake.SelfSigned("campaigns", "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	authority, err := x509.ParseCertificate(certificate.Certificate[len(certificate.Certificate)-1])
	if err != nil {
		t.Fatal(err)
	}
	if !authority.IsCA || certificate.Leaf.IsCA {
		t.Error("the certificate is its own authority, which some clients refuse")
	}
	roots.AddCert(authority)
	for name, want := range map[string]bool{"campaigns": true, "192.0.2.1": true, "localhost": false} {
		if _, err := certificate.Leaf.Verify(x509.VerifyOptions{DNSName: name, Roots: roots}); (err == nil) != want {
			t.Errorf("for %s, the certificate is checked with %v", name, err)
		}
	}
	srv := fake.NewTestServer(t, fake.WithTLS(certificate), fake.WithUser("alice", fixtures.User{}))
	if got := statuses(t, srv, "alice", 1); got != "200" {
		t.Errorf("by its name, the server answers %s", got)
	}
	if _, err := fake.SelfSigned(); err == nil || !strings.Contains(err.Error(), "has to name a host") {
		t.Errorf("without a name, the error is %v", err)
	}
}
