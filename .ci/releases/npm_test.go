package releases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

// testNPM installs the package for npm as the page of the command says, where no registry
// has anything, and uses it.
func testNPM(t *testing.T, release string) {
	app := t.TempDir()
	registry := httptest.NewServer(http.NotFoundHandler())
	defer registry.Close()
	install := strings.ReplaceAll(pages.Example(t, "cmd/campaignfake/README.md", "sh npm"), "v1.2.3", version)
	said := command(t, app, "env", "npm_config_registry="+registry.URL, "npm_config_cache="+t.TempDir(),
		"RELEASE=file://"+release, "sh", "-ec", install)
	if !strings.Contains(said, "campaignfake "+version+"\n") {
		t.Errorf("what is installed says %s", said)
	}
	installed := filepath.Join(app, "node_modules", "campaignfake")
	t.Run("description", func(t *testing.T) { testDescription(t, installed) })
	t.Run("size", func(t *testing.T) { testSize(t, filepath.Join(release, "campaignfake-"+version+".tgz"), installed) })
	t.Run("ends", func(t *testing.T) { testEnds(t, app) })
	t.Run("platforms", func(t *testing.T) { testPlatforms(t, installed, app) })
}

// The package has the version of the tag, and runs nothing when it is installed.
func testDescription(t *testing.T, installed string) {
	var description map[string]any
	if err := json.Unmarshal(read(t, installed, "package.json"), &description); err != nil {
		t.Fatal(err)
	}
	if got, want := description["version"], strings.TrimPrefix(version, "v"); got != want {
		t.Errorf("the version is %q, not %q", got, want)
	}
	for _, key := range []string{"private", "scripts", "dependencies", "optionalDependencies"} {
		if value, found := description[key]; found {
			t.Errorf("%s is %v", key, value)
		}
	}
	for _, name := range []string{"THIRD_PARTY_LICENSES", "playwright.js", "playwright.d.ts"} {
		read(t, installed, name)
	}
}

// The sizes that the page states are those of the package, to a twentieth.
func testSize(t *testing.T, file, installed string) {
	stated := regexp.MustCompile(`(\d+) MB, on disk (\d+) MB`).FindStringSubmatch(pages.Text(t, "cmd/campaignfake/README.md"))
	if stated == nil {
		t.Fatal("the page states no size")
	}
	packed, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	var unpacked int64
	err = filepath.Walk(installed, func(_ string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			unpacked += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, size := range []int64{packed.Size(), unpacked} {
		megabytes := float64(size) / 1e6
		want, err := strconv.ParseFloat(stated[i+1], 64)
		if err != nil || math.Abs(megabytes-want) > want/20 {
			t.Errorf("the page states %s MB, but it is %.1f MB (%v)", stated[i+1], megabytes, err)
		}
	}
}

// A server that npx or the launcher has started answers, and a signal ends it within a
// second, in order, with the exit status of the server. A terminal and Playwright send
// signals to the whole group; of npx alone they would not arrive in every shell.
func testEnds(t *testing.T, app string) {
	quiet := regexp.MustCompile("`(npx --no -- campaignfake .*?)`").FindStringSubmatch(pages.Text(t, "fake/README.md"))
	if quiet == nil {
		t.Fatal("fake/README.md does not say how Playwright starts the package")
	}
	launcher := []string{"node_modules/.bin/campaignfake"}
	for _, test := range []struct {
		name   string
		args   []string
		group  bool
		signal syscall.Signal
		status int // -1 for any
	}{
		{"npx", strings.Fields(quiet[1]), true, syscall.SIGTERM, -1}, // if its shell dies of the signal, npx does, too
		{"launcher, Ctrl-C", launcher, true, syscall.SIGINT, 3},
		{"launcher, SIGTERM", launcher, false, syscall.SIGTERM, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			ready := filepath.Join(t.TempDir(), "ready")
			args := append(test.args[1:], "--listen", "127.0.0.1:0", "--ready-file", ready, "--strict")
			cmd := exec.Command(test.args[0], args...)
			cmd.Dir, cmd.SysProcAttr = app, &syscall.SysProcAttr{Setpgid: true}
			var output bytes.Buffer
			cmd.Stdout, cmd.Stderr = &output, &output
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // if something is left
			base, server := awaitReady(t, ready)
			if status, _, err := process.Ask(base+"/other", "demo"); status != 404 { // for --strict
				t.Errorf("the answer of another path is %d (%v)", status, err)
			}
			target := cmd.Process.Pid
			if test.group {
				target = -target
			}
			sent := time.Now()
			if err := syscall.Kill(target, test.signal); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			for syscall.Kill(server, 0) == nil && time.Since(sent) < time.Second {
				time.Sleep(time.Millisecond)
			}
			if took := time.Since(sent); took >= time.Second {
				t.Errorf("after %v the server may still run", took)
			}
			if got := cmd.ProcessState.ExitCode(); got != test.status && test.status != -1 {
				t.Errorf("the exit status is %d, not %d\n%s", got, test.status, output.String())
			}
		})
	}
}

// awaitReady returns the base URL of a server and its process id, once it answers.
func awaitReady(t *testing.T, file string) (base string, pid int) {
	t.Helper()
	var content struct {
		BaseURL string `json:"base_url"`
		PID     int    `json:"pid"`
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if text, err := os.ReadFile(file); err == nil && json.Unmarshal(text, &content) == nil {
			return content.BaseURL, content.PID
		}
	}
	t.Fatal("the server is not ready within a minute")
	return "", 0
}

// The launcher finds the binary of each platform at its place, as if Node ran there: it tries
// to start it. Where there is none, it names the platforms that there are.
func testPlatforms(t *testing.T, installed, app string) {
	const platforms = "darwin-arm64, darwin-x64, linux-arm64, linux-x64, win32-arm64, win32-x64"
	for platform := range strings.SplitSeq(platforms, ", ") {
		binary := filepath.Join(installed, "bin", platform, "campaignfake")
		if strings.HasPrefix(platform, "win32") {
			binary += ".exe"
		}
		if info, err := os.Stat(binary); err != nil || info.Mode().Perm() != 0o755 {
			t.Fatalf("%s is %v (%v)", binary, info, err)
		}
		if err := os.WriteFile(binary, []byte("#!/bin/sh\necho "+platform+" $*\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if said, status := launchOn(platform, app); said != platform+" version\n" || status != 0 {
			t.Errorf("on %s the launcher ends with %d, and says %s", platform, status, said)
		}
	}
	said, status := launchOn("freebsd-x64", app)
	if status != 1 || !strings.Contains(said, "no binary for freebsd-x64, only for "+platforms+"; build one with Go") {
		t.Errorf("on freebsd the launcher ends with %d, and says %s", status, said)
	}
}

// launchOn runs the launcher as if Node ran on another platform.
func launchOn(platform, app string) (said string, status int) {
	system, architecture, _ := strings.Cut(platform, "-")
	pretend := fmt.Sprintf(`data:text/javascript,Object.defineProperties(process,{platform:{value:"%s"},arch:{value:"%s"}})`, system, architecture)
	cmd := exec.Command("node", "--import", pretend, "node_modules/.bin/campaignfake", "version")
	cmd.Dir = app
	text, _ := cmd.CombinedOutput() // an error is in the status
	return string(text), cmd.ProcessState.ExitCode()
}
