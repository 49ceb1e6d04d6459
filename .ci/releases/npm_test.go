package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
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
	said := command(t, app, "env", "npm_config_registry="+registry.URL, "npm_config_cache="+t.TempDir(), "RELEASE=file://"+release, "sh", "-ec", install)
	if !strings.Contains(said, "campaignfake "+version+"\n") {
		t.Errorf("what is installed says %s", said)
	}
	installed := filepath.Join(app, "node_modules", "campaignfake")
	t.Run("description", func(t *testing.T) { testDescription(t, installed) })
	t.Run("platforms", func(t *testing.T) { testPlatforms(t, installed) })
	t.Run("size", func(t *testing.T) { testSize(t, filepath.Join(release, "campaignfake-"+version+".tgz"), installed) })
	t.Run("fixture", func(t *testing.T) { testFixture(t, app) })
	t.Run("ends", func(t *testing.T) { testEnds(t, app) })
	t.Run("other platform", func(t *testing.T) { testOtherPlatform(t, app) })
	t.Run("Windows", func(t *testing.T) { testOnWindows(t, app) })
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
	read(t, installed, "THIRD_PARTY_LICENSES")
}

// The package has the fixture for Playwright, which takes the @playwright/test that the app has.
func testFixture(t *testing.T, app string) {
	others, err := filepath.Abs("../clients/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	said := command(t, app, "env", "NODE_PATH="+others, "node", "--print", `Object.keys(require("campaignfake/playwright")).join()`)
	if said != "expect,test,default\n" {
		t.Errorf("the fixture exports %s", said)
	}
	read(t, app, "node_modules/campaignfake/playwright.d.ts")
}

// The binary of each platform is where the launcher looks for it, and can be executed.
func testPlatforms(t *testing.T, installed string) {
	for name, want := range map[string]string{
		"linux-x64/campaignfake": "linux/amd64", "linux-arm64/campaignfake": "linux/arm64",
		"darwin-x64/campaignfake": "darwin/amd64", "darwin-arm64/campaignfake": "darwin/arm64",
		"win32-x64/campaignfake.exe": "windows/amd64", "win32-arm64/campaignfake.exe": "windows/arm64",
	} {
		path := filepath.Join(installed, "bin", name)
		info, err := buildinfo.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		settings := make(map[string]string)
		for _, setting := range info.Settings {
			settings[setting.Key] = setting.Value
		}
		if got := settings["GOOS"] + "/" + settings["GOARCH"]; got != want {
			t.Errorf("%s is of %s", name, got)
		}
		if file, err := os.Stat(path); err != nil || file.Mode().Perm()&0o111 != 0o111 {
			t.Errorf("%s is %v (%v)", name, file.Mode(), err)
		}
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
	npx, launcher := []string{"npx", "--no", "--", "campaignfake"}, []string{"node_modules/.bin/campaignfake"}
	for _, test := range []struct {
		name   string
		args   []string
		group  bool
		signal syscall.Signal
		status int // -1 for any
	}{
		{"npx", npx, true, syscall.SIGTERM, -1}, // if its shell dies of the signal, npx does, too
		{"launcher, Ctrl-C", launcher, true, syscall.SIGINT, 3},
		{"launcher, SIGTERM", launcher, false, syscall.SIGTERM, 3},
		{"launcher, SIGINT", launcher, false, syscall.SIGINT, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			ready := filepath.Join(t.TempDir(), "ready")
			args := append(test.args[1:], "--port", "0", "--ready-file", ready, "--strict")
			cmd := exec.Command(test.args[0], args...)
			cmd.Dir, cmd.SysProcAttr = app, &syscall.SysProcAttr{Setpgid: true}
			var output bytes.Buffer
			cmd.Stdout, cmd.Stderr = &output, &output
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // if something is left
			base, server := awaitReady(t, ready)
			if status, _, err := process.Ask(base, "demo"); status != 200 {
				t.Errorf("the answer is %d (%v)", status, err)
			}
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
				t.Errorf("the exit status is %d, not %d", got, test.status)
			}
			if _, err := os.Stat(ready); !os.IsNotExist(err) {
				t.Errorf("the ready-file is still there (%v)", err)
			}
			if t.Failed() {
				t.Logf("the output is\n%s", output.String())
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

// launchOn runs the launcher as if Node ran on another platform.
func launchOn(platform, app string) (said string, status int) {
	pretend := fmt.Sprintf("data:text/javascript,Object.defineProperty(process,'platform',{value:'%s'})", platform)
	cmd := exec.Command("node", "--import", pretend, "node_modules/.bin/campaignfake", "version")
	cmd.Dir = app
	text, _ := cmd.CombinedOutput() // an error is in the status
	return string(text), cmd.ProcessState.ExitCode()
}

// Where there is no binary, the launcher names the platform, and those that there are.
func testOtherPlatform(t *testing.T, app string) {
	said, status := launchOn("freebsd", app)
	if status != 1 {
		t.Errorf("the exit status is %d", status)
	}
	for _, want := range []string{"no binary for freebsd-", "darwin-arm64, darwin-x64, linux-arm64, linux-x64, win32-arm64, win32-x64", "build one with Go"} {
		if !strings.Contains(said, want) {
			t.Errorf("the launcher does not say %q:\n%s", want, said)
		}
	}
}

// On Windows the launcher takes the .exe. The binary for this machine stands in for it.
func testOnWindows(t *testing.T, app string) {
	binaries := filepath.Join(app, "node_modules", "campaignfake", "bin")
	here, windows := binary{system: runtime.GOOS, architecture: runtime.GOARCH}, binary{system: "windows", architecture: runtime.GOARCH}
	program := filepath.Join(binaries, here.nodePlatform(), "campaignfake")
	if err := os.Rename(program, filepath.Join(binaries, windows.nodePlatform(), "campaignfake.exe")); err != nil {
		t.Fatal(err)
	}
	if said, status := launchOn("win32", app); said != "campaignfake "+version+"\n" || status != 0 {
		t.Errorf("the launcher ends with %d, and says %s", status, said)
	}
}
