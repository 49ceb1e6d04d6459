//go:build unix

package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"slices"
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

// What is not watched is read again when it is asked for, by a signal or over
// HTTP.
func TestReloadOnHangup(t *testing.T) {
	t.Parallel()
	name := file(t, "users.yaml", "users: {a: {}}\n")
	cmd := program(t, nil, "--listen", "127.0.0.1:0", name, "--watch=off")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // without a terminal, whose end the signal would announce
	p := startProgram(t, cmd)
	truncating(t, name, "users: {a: {}, b: {}}\n")
	p.awaitHealth(`"users":1`)
	if err := p.signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	p.awaitHealth(`"users":2`)
	truncating(t, name, "users: {a: {}, b: {}, c: {}}\n")
	if response, body := ask(t, "POST", strings.TrimSuffix(p.base, "/api")+"/_fake/reload", nil); response.StatusCode != 200 || !strings.Contains(body, `"users":3`) {
		t.Errorf("a reload is answered %d %s", response.StatusCode, body)
	}
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

// A start that waits for a pipe says so.
func TestStartWaitsForAPipe(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	log, write := io.Pipe()
	p := launch(t, testProcess(io.Discard, write, nil, "--listen", "127.0.0.1:0", pipe))
	line, err := bufio.NewReader(log).ReadString('\n')
	if err != nil || !strings.Contains(line, "the start waits until somebody writes to the pipe and closes it") || !strings.Contains(line, pipe) {
		t.Errorf("the log begins with %s (%v)", line, err)
	}
	go io.Copy(io.Discard, log)
	if err := os.WriteFile(pipe, []byte("users: {}\n"), 0); err != nil {
		t.Fatal(err)
	}
	if err := p.signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-p.exited
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
func (p *server) serial() *big.Int {
	p.t.Helper()
	conn, err := tls.Dial("tcp", strings.TrimPrefix(p.root, "https://"), &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		p.t.Fatal(err)
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0].SerialNumber
}

// A certificate is read again by a reload. A bad one leaves the last good one, and keeps no
// fixtures back, nor do bad fixtures keep it back. One that is not valid today is named.
func TestCertificateIsReadAgain(t *testing.T) {
	t.Parallel()
	folder, now := t.TempDir(), time.Now()
	certificate, first := writePair(t, folder, now.Add(-2*time.Hour), now.Add(-time.Hour))
	users := file(t, "users.yaml", "users: {a: {}}")
	p := serve(t, nil, "--watch", "off", "--tls-cert", certificate, "--tls-key", filepath.Join(folder, "key.pem"), users)
	if got := p.serial(); got.Cmp(first) != 0 {
		t.Errorf("the certificate is %v at the start, want %v", got, first)
	}
	// The client of the helpers does not trust the server, so the command asks.
	ask := func(method, path string) (status int, said string) {
		request, _ := http.NewRequest(method, p.root+"/_fake/"+path, nil)
		response, err := newClient(&tls.Config{InsecureSkipVerify: true}).Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(body)
	}
	_, second := writePair(t, folder, now.Add(time.Hour), now.Add(2*time.Hour))
	for i, step := range []struct {
		change func()
		status int
		said   string // by the reload
		health []string
	}{
		{func() {}, 200, "", []string{`"users":1`}},
		{func() {
			truncating(t, certificate, "no certificate")
			truncating(t, users, "users: {a: {}, b: {}}")
		}, 400, "the certificate could not be reloaded, and the last good one is served: ", []string{`"users":2`, `"certificate_error":"the certificate `}},
		{func() { truncating(t, users, "users: {a: 3}") }, 400, "Also: the certificate could not be reloaded", []string{`"users":2`, `"mistakes":`, `"certificate_error":`}},
		{func() { _, second = writePair(t, folder, now.Add(-time.Hour), now.Add(time.Hour)) }, 400, "1 mistake", []string{`"users":2`, `"mistakes":`}},
	} {
		step.change()
		status, said := ask("POST", "reload")
		if got := p.serial(); status != step.status || !strings.Contains(said, step.said) || got.Cmp(second) != 0 {
			t.Errorf("%d: a reload is answered %d %s, and the certificate is %v, want %v", i, status, said, got, second)
		}
		for _, want := range step.health {
			if _, said := ask("GET", "health"); !strings.Contains(said, want) || strings.Contains(said, "certificate_error") != slices.ContainsFunc(step.health, func(s string) bool { return strings.Contains(s, "certificate_error") }) {
				t.Errorf("%d: health says %s, want %s", i, said, want)
			}
		}
	}
	p.end(syscall.SIGTERM)
	log := p.stderr.String()
	for words, want := range map[string]int{
		"the certificate has expired": 1, "the certificate is not valid yet": 1, "the fixtures could not be reloaded": 2,
		`level=ERROR msg="the certificate could not be reloaded, and the last good one is served" error="the certificate `: 2,
	} {
		if strings.Count(log, words) != want {
			t.Errorf("the log does not say %q %d times:\n%s", words, want, log)
		}
	}
}
