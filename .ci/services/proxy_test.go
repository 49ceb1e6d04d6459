package services

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/ci/process"
)

// certify writes a self-signed certificate for a name or an address, and its key, to a
// folder. It is valid for a day from some time on.
func certify(t *testing.T, folder, name string, from time.Time) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "services"},
		NotBefore: from, NotAfter: from.Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	if ip := net.ParseIP(name); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{name}
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyBytes, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{
		"certificate.pem": {Type: "CERTIFICATE", Bytes: certificate},
		"key.pem":         {Type: "PRIVATE KEY", Bytes: keyBytes},
	} {
		if err := os.WriteFile(filepath.Join(folder, file), pem.EncodeToMemory(block), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// proxy starts nginx with the certificate of a folder, and further directives, in front of
// a service.
func proxy(t *testing.T, folder string, behind *service, more ...string) *service {
	t.Helper()
	text, err := os.ReadFile("servers/nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	address := process.Free(t)
	conf := strings.NewReplacer("{folder}", folder, "{address}", address, "{upstream}", behind.address, "{more}", strings.Join(more, " ")).Replace(string(text))
	process.Nginx(t, folder, address, conf)
	_, port, _ := net.SplitHostPort(address)
	return &service{address: address, baseURL: "https://127.0.0.1:" + port + "/api", log: filepath.Join(folder, "access.log")}
}

// Behind a proxy with TLS, HTTP/2 and gzip a service is what it is without one.
func TestProxy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, script, family, host string
		status                     int
	}{
		{"in front of Python, by its address", "documented.py", "", "127.0.0.1", 0},
		{"in front of Python, by its name", "documented.py", "", "localhost", 0},
		{"in front of a framework", "families.py", "laravel", "localhost", 4},
		{"in front of errors with 200", "families.py", "graphql", "127.0.0.1", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			certify(t, folder, c.host, time.Now().Add(-time.Hour))
			s := proxy(t, folder, start(t, c.script, strings.Fields(c.family)...))
			file := filepath.Join(t.TempDir(), "observed.yaml")
			trust := []string{"SSL_CERT_FILE=" + filepath.Join(folder, "certificate.pem")}
			o := compareIn(t, trust, strings.Replace(s.baseURL, "127.0.0.1", c.host, 1), "--write", file)
			s.safe(t)
			look{status: c.status}.check(t, o)
			if text := written(t, file); strings.Contains(text, s.address[strings.LastIndex(s.address, ":"):]) || strings.Contains(text, "nginx") {
				t.Errorf("the written file holds the host or the proxy:\n%s", text)
			}
			asked := strings.Join(s.asked(t), "")
			if strings.Count(asked, "HTTP/2.0") != len(s.asked(t)) || !strings.Contains(asked, "HTTP/2.0 gzip") {
				t.Errorf("the requests are not all of HTTP/2, or none is answered with gzip:\n%s", asked)
			}
		})
	}
}

// A certificate that does not verify, or nobody behind the proxy, is no verdict. To the
// former not one request is sent.
func TestProxyThatCannotBeTrusted(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, c := range []struct {
		name, certified, host string
		from                  time.Time
		trusted               bool
		reason                string
	}{
		{"signed by nobody", "127.0.0.1", "127.0.0.1", now.Add(-time.Hour), false, "certificate cannot be verified: nobody that this machine trusts has signed it"},
		{"for another name", "other.example", "localhost", now.Add(-time.Hour), true, "certificate cannot be verified: it is for another name"},
		{"for a name, not an address", "localhost", "127.0.0.1", now.Add(-time.Hour), true, "certificate cannot be verified: it is for another name"},
		{"for another address", "192.0.2.1", "127.0.0.1", now.Add(-time.Hour), true, "certificate cannot be verified: it is for another name"},
		{"expired", "127.0.0.1", "127.0.0.1", now.Add(-48 * time.Hour), true, "certificate cannot be verified: it has expired"},
		{"not yet valid", "127.0.0.1", "127.0.0.1", now.Add(time.Hour), true, "certificate cannot be verified: it has expired, or is not valid yet"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			certify(t, folder, c.certified, c.from)
			s := proxy(t, folder, start(t, "documented.py"))
			trust := []string{"SSL_CERT_DIR=" + t.TempDir()}
			if c.trusted {
				trust = append(trust, "SSL_CERT_FILE="+filepath.Join(folder, "certificate.pem"))
			}
			o := compareIn(t, trust, strings.Replace(s.baseURL, "127.0.0.1", c.host, 1))
			hasNoVerdict(t, o, c.reason)
			if asked := s.asked(t); len(asked) > 0 {
				t.Errorf("the service was asked:\n%s", strings.Join(asked, ""))
			}
		})
	}
	t.Run("nobody behind it", func(t *testing.T) {
		t.Parallel()
		folder := t.TempDir()
		certify(t, folder, "127.0.0.1", now.Add(-time.Hour))
		s := proxy(t, folder, &service{address: "127.0.0.1:1"})
		hasNoVerdict(t, compareIn(t, []string{"SSL_CERT_FILE=" + filepath.Join(folder, "certificate.pem")}, s.baseURL), "the list is answered 502")
		s.safe(t)
	})
	t.Run("who wants a certificate of the client", func(t *testing.T) {
		t.Parallel()
		folder := t.TempDir()
		certify(t, folder, "127.0.0.1", now.Add(-time.Hour))
		s := proxy(t, folder, start(t, "documented.py"), "ssl_verify_client on; ssl_client_certificate", filepath.Join(folder, "certificate.pem")+";")
		hasNoVerdict(t, compareIn(t, []string{"SSL_CERT_FILE=" + filepath.Join(folder, "certificate.pem")}, s.baseURL), "certificate of the client")
	})
	t.Run("who ends the handshake without one", func(t *testing.T) {
		t.Parallel()
		s := httptest.NewUnstartedServer(http.NotFoundHandler())
		s.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		s.StartTLS()
		defer s.Close()
		file := filepath.Join(t.TempDir(), "certificate.pem")
		if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o644); err != nil {
			t.Fatal(err)
		}
		hasNoVerdict(t, compareIn(t, []string{"SSL_CERT_FILE=" + file}, s.URL+"/api"), "certificate of the client")
	})
	t.Run("plain HTTP to TLS", func(t *testing.T) {
		t.Parallel()
		folder := t.TempDir()
		certify(t, folder, "127.0.0.1", now.Add(-time.Hour))
		s := proxy(t, folder, start(t, "documented.py"))
		hasNoVerdict(t, compare(t, strings.Replace(s.baseURL, "https:", "http:", 1)), "the list is answered 400")
	})
}
