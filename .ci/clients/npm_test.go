package clients

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

// An app whose end-to-end test starts the server from the package for npm needs no clone
// and no registry, and leaves no server behind.
func TestFrontendWithThePackage(t *testing.T) {
	t.Parallel()
	address := process.Free(t)
	folder := app(t, address)
	installPackage(t, folder)
	if err := os.Remove(filepath.Join(folder, "..", "campaignfake")); err != nil { // the clone
		t.Fatal(err)
	}
	name := filepath.Join(folder, "playwright.config.ts")
	config, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile("`(npx --no -- campaignfake .*?)`").FindStringSubmatch(pages.Text(t, "fake/README.md"))
	if command == nil {
		t.Fatal("fake/README.md does not say how Playwright starts the package")
	}
	packaged := regexp.MustCompile(`      cwd: .*\n`).ReplaceAllString(string(config), "")
	packaged = strings.ReplaceAll(packaged, "go run ./cmd/campaignfake --quiet", command[1])
	if err := os.WriteFile(name, []byte(packaged), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := endToEnd(t, folder, address); err != nil || !strings.Contains(out, "1 passed") {
		t.Errorf("%v\n%s", err, out)
	}
	if conn, err := net.Dial("tcp", address); err == nil {
		conn.Close()
		t.Error("the server still runs")
	}
}

// installPackage installs the package for npm in the folder of an app: its sources, with
// the binary for this machine alone. The tests of releases install the whole package.
func installPackage(t *testing.T, app string) {
	t.Helper()
	staged := t.TempDir()
	platform, err := exec.Command("node", "--print", "`${process.platform}-${process.arch}`").Output()
	if err != nil {
		t.Fatal(err)
	}
	binaries := filepath.Join(staged, "bin", strings.TrimSpace(string(platform)))
	for _, err := range []error{
		os.CopyFS(staged, os.DirFS("../../cmd/campaignfake/npm")),
		os.MkdirAll(binaries, 0o755),
		os.Link(process.Program(), filepath.Join(binaries, "campaignfake")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	registry := httptest.NewServer(http.NotFoundHandler())
	defer registry.Close()
	install := exec.Command("npm", "install", "--install-links", "--registry", registry.URL, "--cache", t.TempDir(), staged)
	install.Dir = app
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
