package releases

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

// testNPM installs the package for npm where no registry has anything, and uses it.
func testNPM(t *testing.T, release string) {
	t.Parallel()
	app := t.TempDir()
	registry := httptest.NewServer(http.NotFoundHandler())
	defer registry.Close()
	archive := filepath.Join(release, "campaignfake-"+version+".tgz")
	command(t, app, "env", "npm_config_registry="+registry.URL,
		"npm_config_cache="+t.TempDir(), "npm", "install", "--save-dev", archive)
	said := command(t, app, "npx", "--no", "--", "campaignfake", "version")
	if !strings.Contains(said, "campaignfake "+version+"\n") {
		t.Errorf("what is installed says %s", said)
	}
	installed := filepath.Join(app, "node_modules", "campaignfake")
	number := strings.TrimPrefix(version, "v")
	if text := string(read(t, installed, "package.json")); !strings.Contains(text, number) {
		t.Errorf("the package has another version than %s:\n%s", number, text)
	}
	for _, name := range []string{"THIRD_PARTY_LICENSES", "playwright.js", "playwright.d.ts"} {
		read(t, installed, name)
	}
	testEnds(t, filepath.Join(app, "node_modules/.bin/campaignfake"))
	testPlatforms(t, app)
}

// testEnds checks that a server of the launcher answers, ends with the launcher, and decides how
// the launcher ends.
func testEnds(t *testing.T, launcher string) {
	var server *process.Server
	t.Run("signal", func(t *testing.T) {
		server = process.Run(t, launcher)
		if status, _, err := process.Ask(server.BaseURL, "demo"); status != 200 {
			t.Errorf("the answer is %d (%v)", status, err)
		}
	})
	if status, _, err := process.Ask(server.BaseURL, "demo"); err == nil {
		t.Errorf("the server still runs, and answers %d", status)
	}
	wrong := exec.Command(launcher, "--wrong")
	if said, _ := wrong.CombinedOutput(); wrong.ProcessState.ExitCode() != 2 {
		t.Errorf("the exit status is %d, not 2\n%s", wrong.ProcessState.ExitCode(), said)
	}
}

// testPlatforms checks that a launcher without a binary names the platforms that there are, and
// says what the pages do: how to start the server without one.
func testPlatforms(t *testing.T, app string) {
	pretend := "data:text/javascript,Object.defineProperty(process,'platform',{value:'freebsd'})"
	cmd := exec.Command("node", "--import", pretend, "node_modules/.bin/campaignfake", "version")
	cmd.Dir = app
	said, err := cmd.CombinedOutput()
	const platforms = "only for darwin-arm64, darwin-x64, linux-arm64, linux-x64, win32-arm64, " +
		"win32-x64; "
	if err == nil || !strings.Contains(string(said), platforms) {
		t.Errorf("the launcher ends with %v, and says %s", err, said)
	}
	for _, kind := range []string{"sh image", "sh tool"} {
		for line := range strings.Lines(pages.Example(t, kind)) {
			if !strings.Contains(string(said), "\n  "+line) {
				t.Errorf("the launcher does not say %q", line)
			}
		}
	}
}
