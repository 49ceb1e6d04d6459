package containers

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

const askSpec = `import { expect, test } from "@playwright/test";
test("asks", async () => {
  const headers = { Authorization: "Bearer single" };
  const answer = await fetch("http://ADDRESS/api/user/campaigns", { headers });
  expect((await answer.json()).campaigns).toHaveLength(1);
});
`

// The image that the README builds is started by Playwright as the README has it, and ends with
// the tests.
func TestPlaywrightStartsImage(t *testing.T) {
	t.Parallel()
	if !strings.HasPrefix(pages.Example(t, "sh image"),
		"docker build -t campaignfake ") {
		t.Error("the README does not build the image that its webServer starts")
	}
	address := process.Free(t)
	here := strings.NewReplacer(
		"127.0.0.1:8642", address,
		"ADDRESS", address,
		" campaignfake ", " --label playwright="+address+" "+image+" ",
	)
	folder := t.TempDir()
	server := pages.Example(t, "ts webServer")
	for name, text := range map[string]string{
		"package.json":         "{}",
		"ask.spec.ts":          askSpec,
		"playwright.config.ts": "export default { webServer: [" + server + "] };",
	} {
		err := os.WriteFile(filepath.Join(folder, name), []byte(here.Replace(text)), 0o644)
		if err != nil {
			t.Fatal(err)
		}
	}
	modules, err := filepath.Abs("../clients/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	tests := exec.Command("npx", "playwright", "test", "--reporter=line")
	tests.Dir = folder
	tests.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	out, err := tests.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "1 passed") {
		t.Errorf("%v\n%s", err, out)
	}
	left := docker(t, "ps", "--all", "--quiet", "--filter", "label=playwright="+address)
	if left != "" {
		docker(t, "rm", "--force", left)
		t.Error("the container goes on when the tests have ended")
	}
}
