// Package upstream has somebody else's servers answer what campaignfake passes on, over HTTPS with
// a private authority: one of Express, and go-httpbin. It is no part of go test ./..., since it
// needs Node and a browser.
package upstream

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/ci/process"
	"github.com/mccutchen/go-httpbin/v2/httpbin"
)

// certificate and key are files with what a server on this machine needs to speak HTTPS.
var certificate, key string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

// run makes a private authority, which the programs of the tests trust, and runs them.
func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "campaignfake-upstream-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	certificate = filepath.Join(folder, "certificate.pem")
	key = filepath.Join(folder, "key.pem")
	trusted := filepath.Join(folder, "authority.pem")
	err = makeAuthority(trusted)
	if err == nil {
		err = certifyServer(certificate, key, time.Now().Add(time.Hour))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	os.Setenv("SSL_CERT_FILE", trusted) // of the tests, too
	return process.Main(m)
}

// authority is a private one, which signs the certificates of servers.
var authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// makeAuthority makes the authority, and writes its certificate to a file.
func makeAuthority(file string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	authority.key = key
	authority.certificate = &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "a private authority"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	return sign(file, authority.certificate, &key.PublicKey)
}

// certifyServer writes a key, and a certificate of this machine that is valid until some time.
func certifyServer(certificateFile, keyFile string, until time.Time) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	certificate := &x509.Certificate{
		SerialNumber: big.NewInt(2),
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     until,
		DNSNames:     []string{"localhost"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	err = sign(certificateFile, certificate, &key.PublicKey)
	if err != nil {
		return err
	}
	text, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return writePEM(keyFile, "PRIVATE KEY", text)
}

// sign writes a certificate that the authority has signed.
func sign(file string, certificate *x509.Certificate, key *ecdsa.PublicKey) error {
	text, err := x509.CreateCertificate(
		rand.Reader, certificate, authority.certificate, key, authority.key)
	if err != nil {
		return err
	}
	return writePEM(file, "CERTIFICATE", text)
}

func writePEM(file, kind string, text []byte) error {
	block := &pem.Block{Type: kind, Bytes: text}
	return os.WriteFile(file, pem.EncodeToMemory(block), 0o600)
}

// startExpress starts api.mjs, and returns its base URL. It stops when the test ends.
func startExpress(t *testing.T, environment ...string) (baseURL string) {
	t.Helper()
	node := exec.Command("node", "api.mjs")
	node.Env = append(os.Environ(), "NODE_ENV=test") // so that mistakes of requests are not printed
	node.Env = append(node.Env, environment...)
	node.Stderr = t.Output()
	out, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		node.Process.Kill()
		node.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("api.mjs does not start: %v", err)
	}
	return strings.TrimSpace(line)
}

// startSecureExpress starts api.mjs with HTTPS.
func startSecureExpress(t *testing.T) (baseURL string) {
	t.Helper()
	return startExpress(t, "CERTIFICATE="+certificate, "KEY="+key)
}

// startHTTPBin starts go-httpbin with HTTPS and HTTP/2, and returns its base URL. It stops when the
// test ends.
func startHTTPBin(t *testing.T) (baseURL string) {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	bin := httpbin.New(
		httpbin.WithPrefix("/v1"),
		httpbin.WithExcludeHeaders("Via"), // from the answers that repeat the request
	)
	server := httptest.NewUnstartedServer(bin)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// startFake starts campaignfake before an upstream.
func startFake(t *testing.T, upstream string, args ...string) *process.Server {
	t.Helper()
	return process.Start(t, append([]string{"--upstream", upstream}, args...)...)
}
