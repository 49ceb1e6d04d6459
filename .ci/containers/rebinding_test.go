package containers

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A page whose name was made to point at a container reads nothing of it: the script
// tries in a browser what it tries with processes in .ci/page, whose modules it needs.
func TestRebinding(t *testing.T) {
	c := start(t, nil)
	c.awaitHealthy()
	node := exec.Command("node", "--test-reporter=spec", "rebinding.test.mjs")
	node.Dir = "../page"
	node.Env = append(os.Environ(), "CAMPAIGNFAKE_ADDRESS="+strings.TrimPrefix(c.url, "http://"))
	out, err := node.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "\nℹ pass 2\n") {
		t.Errorf("not everything has run:\n%s", out)
	}
}
