package main

import (
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// trusting asks for campaigns as a client that trusts a certificate does.
func trusting(t *testing.T, certificate, url, token string) (*http.Response, error) {
	t.Helper()
	text, err := os.ReadFile(certificate)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		t.Fatalf("there is no certificate in %s", text)
	}
	r, err := http.NewRequest("GET", url+"/user/campaigns", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = bearer(token)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true, ForceAttemptHTTP2: true}, Timeout: deadline}
	response, err := client.Do(r)
	if err == nil {
		response.Body.Close()
	}
	return response, err
}

// A certificate is made for the names that are asked for, and left where clients
// pick it up; the command itself finds the server by the same variables.
func TestSelfSigned(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	certificate, ready := filepath.Join(folder, "ca.pem"), filepath.Join(folder, "ready.json")
	p := serve(t, nil, "--tls-self-signed", "campaigns, 192.0.2.1", "--tls-cert", certificate, "--ready-file", ready)
	content := p.awaitReady(ready)
	if !strings.HasPrefix(content.BaseURL, "https://127.0.0.1:") || !strings.HasPrefix(content.ControlURL, "https://") || p.base != content.BaseURL {
		t.Errorf("the ready-file has %+v, and the banner %s", content, p.base)
	}
	response, err := trusting(t, certificate, p.base, "demo")
	if err != nil || response.StatusCode != 200 || response.ProtoMajor != 1 {
		t.Errorf("the answer is %v %v", response, err)
	}
	if response, err := trusting(t, certificate, strings.Replace(p.base, "127.0.0.1", "localhost", 1), "demo"); err != nil || response.StatusCode != 200 {
		t.Errorf("by the name localhost, the answer is %v %v", response, err)
	}
	if !strings.HasPrefix(p.curl, "curl --insecure ") {
		t.Errorf("the line to paste is %s", p.curl)
	}
	listen := strings.TrimPrefix(content.URL, "https://")
	for name, tt := range map[string]struct {
		env, args []string
		status    int
		words     string
	}{
		"health by variables":  {[]string{"CAMPAIGNFAKE_LISTEN=" + listen, "CAMPAIGNFAKE_TLS_SELF_SIGNED=campaigns"}, []string{"health"}, 0, ""},
		"health without TLS":   {[]string{"CAMPAIGNFAKE_LISTEN=" + listen}, []string{"health"}, 1, "HTTPS server"},
		"health of a URL":      {nil, []string{"health", "--url", content.URL}, 0, ""},
		"requests of a URL":    {nil, []string{"requests", "--url", content.URL}, 0, ""},
		"requests without TLS": {nil, []string{"requests", "--url", "http://" + listen}, 1, "sent an HTTP request to an HTTPS server"},
	} {
		r := finish(t, tt.env, tt.args...)
		if r.status != tt.status || !strings.Contains(r.stderr, tt.words) {
			t.Errorf("%s: the status is %d, want %d, and standard error\n%s", name, r.status, tt.status, r.stderr)
		}
	}
}

// A certificate of one's own is read with its key.
func TestOwnCertificate(t *testing.T) {
	t.Parallel()
	own, err := fake.SelfSigned("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalECPrivateKey(own.PrivateKey.(*ecdsa.PrivateKey))
	if err != nil {
		t.Fatal(err)
	}
	certificate := file(t, "cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.Certificate[0]})))
	keyFile := file(t, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: key})))
	p := serve(t, []string{"CAMPAIGNFAKE_TLS_KEY=" + keyFile}, "--tls-cert", certificate)
	if response, err := trusting(t, certificate, p.base, "demo"); err != nil || response.StatusCode != 200 {
		t.Errorf("the answer is %v %v", response, err)
	}
	for _, tt := range []struct {
		args   []string
		status int
		words  []string
	}{
		{[]string{"--tls-cert", certificate}, 2, []string{"--tls-cert", "--tls-key", "give a certificate and its key"}},
		{[]string{"--tls-key", keyFile}, 2, []string{"--tls-cert", "--tls-key", "give a certificate and its key"}},
		{[]string{"--tls-key", keyFile, "--tls-self-signed", "localhost"}, 2, []string{"--tls-self-signed and --tls-key can't be used together"}},
		{[]string{"--tls-self-signed", "http://localhost"}, 2, []string{"--tls-self-signed: ", "is not a host alone"}},
		{[]string{"--tls-cert", keyFile, "--tls-key", certificate}, 2, []string{keyFile, "cannot be used", "a certificate and its key, both in PEM"}},
		{[]string{"--tls-self-signed", "localhost", "--tls-cert", t.TempDir()}, 1, []string{"is there already", "name another"}},
		{[]string{"--tls-self-signed", "localhost", "--tls-cert", "/nowhere/ca.pem"}, 1, []string{"/nowhere/ca.pem", "in a folder that exists"}},
	} {
		finish(t, nil, tt.args...).failsLike(t, tt.status, tt.words...)
	}
}
