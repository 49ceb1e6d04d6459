package containers

import (
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
	// as compose calls it
	address := strings.TrimPrefix(c.url, "http://")
	ask := exec.Command("curl", "-fsS", "--cacert", filepath.Join(certificate, "cert.pem"),
		"--connect-to", "campaigns:443:"+address, "https://campaigns/_fake/health")
	if out, err := ask.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
