package containers

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
)

// The page's command makes a certificate whose key the image's user can read, though it belongs to
// somebody else, and which a client can trust by its address.
func TestTLS(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	script := exec.Command("sh", "-ec",
		pages.Example(t, "sh openssl"))
	script.Dir = folder
	if out, err := script.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	certificate := filepath.Join(folder, "certificate")
	c := start(t,
		"--volume="+certificate+":/certificate:ro",
		"--env=CAMPAIGNFAKE_TLS_CERT=/certificate/cert.pem",
		"--env=CAMPAIGNFAKE_TLS_KEY=/certificate/key.pem")

	text, err := os.ReadFile(filepath.Join(certificate, "cert.pem"))
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	client := http.Client{Transport: &http.Transport{
		// as compose calls it
		TLSClientConfig:   &tls.Config{RootCAs: roots, ServerName: "campaigns"},
		DisableKeepAlives: true,
	}}
	answer, err := client.Get(strings.Replace(c.url, "http:", "https:", 1) + "/_fake/health")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("the answer is %s", answer.Status)
	}
}
