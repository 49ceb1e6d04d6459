//go:build unix

package main

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/campaignfake/fake"
)

// A pipe in a folder of fixtures is a mistake, which keeps neither a reload nor the end
// of the server waiting.
func TestPipeInAFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a.yaml"), []byte("users: {a: {}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := serve(t, nil, folder)
	pipe := filepath.Join(folder, "b.yaml")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	p.awaitHealth("is a pipe, not a file")
	if status, _ := p.list("a"); status != 200 {
		t.Errorf("the last good user is answered %d", status)
	}
	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}
	truncating(t, filepath.Join(folder, "a.yaml"), "users: {a: {}, b: {}}\n")
	p.awaitHealth(`"users":2`)
	p.end(syscall.SIGTERM)
	if err := os.Symlink("/dev/zero", pipe); err != nil {
		t.Fatal(err)
	}
	finish(t, nil, "check", folder).failsLike(t, 1, pipe+": is a device, not a file; take it out of the folder")
}

// What came out of a named pipe stays, and is not read again.
func TestReloadWithAPipe(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	go os.WriteFile(pipe, []byte("users: {a: {}}\n"), 0) // waits for the server to read
	p := serve(t, nil, "--unknown-tokens=reject", pipe)
	if response, body := ask(t, "POST", p.root+"/_fake/reload", nil); response.StatusCode == 200 || !strings.Contains(body, "read only at the start") {
		t.Errorf("a reload is answered %d %s", response.StatusCode, body)
	}
	if status, _ := p.list("a"); status != 200 {
		t.Errorf("the user from the pipe is answered %d", status)
	}
	p.end(syscall.SIGTERM)
}

// writePair writes a certificate of the given time, and its key, and returns the file of
// the certificate and its serial number.
func writePair(t *testing.T, folder string, from, until time.Time) (certificate string, serial *big.Int) {
	t.Helper()
	own, err := fake.SelfSigned("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	key := own.PrivateKey.(*ecdsa.PrivateKey)
	template := *own.Leaf
	template.NotBefore, template.NotAfter = from, until
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	text, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: der}, "key.pem": {Type: "EC PRIVATE KEY", Bytes: text}} {
		if err := os.WriteFile(filepath.Join(folder, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "cert.pem"), template.SerialNumber
}

// serial returns the serial number of the certificate that a server shows.
func (p *process) serial() *big.Int {
	p.t.Helper()
	conn, err := tls.Dial("tcp", strings.TrimPrefix(p.root, "https://"), &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		p.t.Fatal(err)
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0].SerialNumber
}

// A certificate is read again by a reload. A bad one leaves the last good one, and one
// that is not valid today is named.
func TestCertificateIsReadAgain(t *testing.T) {
	t.Parallel()
	folder, now := t.TempDir(), time.Now()
	certificate, first := writePair(t, folder, now.Add(-2*time.Hour), now.Add(-time.Hour))
	p := serve(t, nil, "--tls-cert", certificate, "--tls-key", filepath.Join(folder, "key.pem"))
	if got := p.serial(); got.Cmp(first) != 0 {
		t.Errorf("the certificate is %v at the start, want %v", got, first)
	}
	// The client of the helpers does not trust the server, so the command asks.
	reload := func() int {
		client := newClient(&tls.Config{InsecureSkipVerify: true})
		response, err := client.Post(p.root+"/_fake/reload", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.StatusCode
	}
	_, second := writePair(t, folder, now.Add(time.Hour), now.Add(2*time.Hour))
	if status, got := reload(), p.serial(); status != 200 || got.Cmp(second) != 0 {
		t.Errorf("a reload is answered %d, and the certificate is %v, want the new %v", status, got, second)
	}
	truncating(t, certificate, "no certificate")
	if status, got := reload(), p.serial(); status == 200 || got.Cmp(second) != 0 {
		t.Errorf("a reload with a bad certificate is answered %d, and the certificate is %v, want the last good %v", status, got, second)
	}
	p.end(syscall.SIGTERM)
	log := p.stderr.String()
	for _, words := range []string{"the certificate has expired", "the certificate is not valid yet", "a certificate and its key, both in PEM"} {
		if strings.Count(log, words) != 1 {
			t.Errorf("the log does not say once %q:\n%s", words, log)
		}
	}
}
