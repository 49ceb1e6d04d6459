// Package upstream has somebody else's server answer what campaignfake passes on: one of Express,
// over HTTPS with a private authority. It is no part of go test ./..., since it needs Node and a
// browser.
package upstream

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/campaignfake/ci/process"
)

// certificate and key are files with what a server on this machine needs to speak HTTPS.
var certificate, key string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

// run makes a certificate, which the programs of the tests trust, and runs them.
func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "campaignfake-upstream-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	certificate = filepath.Join(folder, "certificate.pem")
	key = filepath.Join(folder, "key.pem")
	certify := exec.Command("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes",
		"-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
		"-keyout", key, "-out", certificate)
	if said, err := certify.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, said)
		return 1
	}
	os.Setenv("SSL_CERT_FILE", certificate) // of the tests, too
	return process.Main(m)
}

// startExpress starts api.mjs with HTTPS, and returns its base URL. It stops when the test ends.
func startExpress(t *testing.T) (baseURL string) {
	t.Helper()
	node := exec.Command("node", "api.mjs")
	node.Env = append(os.Environ(), "NODE_ENV=test", // so that mistakes of requests are not printed
		"CERTIFICATE="+certificate, "KEY="+key)
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

// A page in Chromium uses the upstream through campaignfake, also behind Vite's proxy.
func TestBrowser(t *testing.T) {
	t.Parallel()
	process.Node(t, "browser.test.mjs", "UPSTREAM="+startExpress(t))
}
