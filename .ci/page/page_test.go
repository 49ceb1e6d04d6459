// Package page looks at the page as people do, in Chromium, and at what other
// origins can do to it. It is no part of go test ./..., since it needs a browser
// and Node.
package page

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/ci/process"
)

func TestMain(m *testing.M) { os.Exit(process.Main(m)) }

// Each script is a Node test of its own, which starts the command as often as it
// needs to.
func TestPage(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob("*.test.mjs")
	if err != nil || len(scripts) == 0 {
		t.Fatal("there are no scripts: ", err)
	}
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(script, ".test.mjs"), func(t *testing.T) {
			t.Parallel()
			begin := time.Now()
			node := exec.Command("node", "--test-reporter=spec", script)
			node.Env = append(os.Environ(), "CAMPAIGNFAKE="+process.Program(), "TMPDIR="+t.TempDir()) // a browser that is killed leaves files
			out, err := node.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if !strings.Contains(string(out), "\nℹ skipped 0\n") {
				t.Errorf("not everything has run:\n%s", out)
			}
			t.Logf("%s\n%s", time.Since(begin), out)
		})
	}
}
