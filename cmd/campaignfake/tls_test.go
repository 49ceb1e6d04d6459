package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// certificateFiles writes a certificate of 127.0.0.1 and its key, and returns the paths of the
// files, and what a client has to trust.
func certificateFiles(t *testing.T) (certificate, key string, roots *x509.CertPool) {
	t.Helper()
	other := httptest.NewTLSServer(nil)
	defer other.Close()
	pair := other.TLS.Certificates[0]
	der, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	certificate = file(t, "cert.pem", pemText("CERTIFICATE", pair.Certificate[0]))
	key = file(t, "key.pem", pemText("PRIVATE KEY", der))
	roots = x509.NewCertPool()
	roots.AddCert(other.Certificate())
	return certificate, key, roots
}

func pemText(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// With a certificate and its key the server uses HTTPS, and every URL that it prints begins with
// https.
func TestTLS(t *testing.T) {
	t.Parallel()
	certificate, key, roots := certificateFiles(t)
	ready := filepath.Join(t.TempDir(), "ready.json")
	variable := []string{"CAMPAIGNFAKE_TLS_KEY=" + key}
	p := serve(t, variable, "--tls-cert", certificate, "--ready-file", ready)

	content := p.awaitReady(ready)
	if !strings.HasPrefix(p.base, "https://127.0.0.1:") || content.BaseURL != p.base {
		t.Errorf("the banner has %s, and the ready-file %s", p.base, content.BaseURL)
	}
	if !strings.HasPrefix(content.ControlURL, "https://") {
		t.Errorf("the control plane is at %s", content.ControlURL)
	}
	if !strings.HasPrefix(p.curl, "curl --insecure ") {
		t.Errorf("the line to paste is %s", p.curl)
	}

	r, err := http.NewRequest("GET", p.base+"/user/campaigns", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = bearer("demo")
	client := http.Client{
		Timeout: deadline,
		Transport: &http.Transport{
			TLSClientConfig:   &tls.Config{RootCAs: roots},
			DisableKeepAlives: true,
			ForceAttemptHTTP2: true, // the server does not speak HTTP/2
		},
	}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 200 || response.ProtoMajor != 1 {
		t.Errorf("the answer is %s %s", response.Proto, response.Status)
	}
}

// The error of a health check without TLS says what to write.
func TestHealthWithoutTLS(t *testing.T) {
	t.Parallel()
	certificate, key, _ := certificateFiles(t)
	p := serve(t, nil, "--tls-cert", certificate, "--tls-key", key)
	listen := strings.TrimPrefix(p.root, "https://")
	finish(t, nil, "health", "--listen", listen).failsLike(t, 1,
		"sent an HTTP request to an HTTPS server; write https:// in --url, ")
}

func TestCertificateThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	certificate, key, _ := certificateFiles(t)
	const cert, its = "CAMPAIGNFAKE_TLS_CERT", "CAMPAIGNFAKE_TLS_KEY"
	tests := map[string]struct {
		env, args []string
		want      string
	}{
		"without its key": {
			args: []string{"--tls-cert", certificate},
			want: "--tls-cert is given, and --tls-key is missing; give both",
		},
		"only its key's variable": {
			env:  []string{its + "=" + key},
			want: its + " is given, and " + cert + " (or --tls-cert) is missing; give both",
		},
		"a file that is not there": {
			args: []string{"--tls-cert", "nowhere.pem", "--tls-key", key},
			want: `--tls-cert "nowhere.pem" and --tls-key "` + key +
				`" cannot be used: open nowhere.pem: `,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			finish(t, tt.env, tt.args...).failsLike(t, 2, tt.want, "in PEM")
		})
	}
}

// Often only the user who has made a key can read it.
func TestAdviceOnUnreadableKey(t *testing.T) {
	t.Parallel()
	err := &fs.PathError{Op: "open", Path: "key.pem", Err: fs.ErrPermission}
	if got := insteadOfPair(err); !strings.Contains(got, "chmod a+r") {
		t.Errorf("the advice is %s", got)
	}
}
