package upstream

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"example.com/campaignfake/ci/process"
)

// A page in Chromium uses the upstream through campaignfake, also behind Vite's proxy.
func TestBrowser(t *testing.T) {
	t.Parallel()
	node := exec.Command("node", "--test-reporter=spec", "browser.test.mjs")
	node.Env = append(os.Environ(),
		"UPSTREAM="+startSecureExpress(t),
		"CAMPAIGNFAKE="+process.Program(),
		"TMPDIR="+t.TempDir()) // where a browser that is killed leaves files
	out, err := node.CombinedOutput()
	hasSkipped := !strings.Contains(string(out), "\nℹ skipped 0\n")
	if err != nil || hasSkipped {
		t.Errorf("not everything has passed: %v\n%s", err, out)
	}
}
