// Package page looks at the page as people do, in Chromium, and at what other
// origins can do to it. It is no part of go test ./..., since it needs a browser
// and Node.
package page

import (
	"image/png"
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

// The picture of the README can be made again, and is small: a browser loads it in a moment.
func TestPicture(t *testing.T) {
	t.Parallel()
	made := filepath.Join(t.TempDir(), "page.png")
	node := exec.Command("node", "picture.mjs", made)
	node.Env = append(os.Environ(), "CAMPAIGNFAKE="+process.Program(), "TMPDIR="+t.TempDir())
	if out, err := node.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{made, "../../.github/page.png"} {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		picture, err := png.DecodeConfig(file)
		if err != nil || picture.Width != 1280 || picture.Height != 720 {
			t.Errorf("%s has %d × %d pixels (%v)", name, picture.Width, picture.Height, err)
		}
		if info, err := file.Stat(); err != nil || info.Size() > 120_000 {
			t.Errorf("%s has %d bytes (%v)", name, info.Size(), err)
		}
	}
}
