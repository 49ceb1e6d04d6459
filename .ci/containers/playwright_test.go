package containers

import (
	"os"
	"os/exec"
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

// The image that a page builds is started by Playwright as the page has it, and ends with the
// tests.
func TestPlaywrightStartsImage(t *testing.T) {
	t.Parallel()
	if !strings.HasPrefix(pages.Example(t, "sh image"), "docker build -t campaignfake ") {
		t.Error("no page builds the image that its webServer starts")
	}
	address := process.Free(t)
	label := "playwright=" + address
	here := strings.NewReplacer(
		"127.0.0.1:8642", address,
		"ADDRESS", address,
		" campaignfake ", " --label "+label+" "+image+" ",
	)
	server := pages.Example(t, "ts webServer")
	folder := t.TempDir()
	process.Link(t, folder, "node_modules", ".ci/clients/node_modules")
	process.Write(t, folder, map[string]string{
		"package.json":         "{}",
		"ask.spec.ts":          here.Replace(askSpec),
		"playwright.config.ts": here.Replace("export default { webServer: [" + server + "] };"),
	})
	tests := exec.Command("npx", "playwright", "test", "--reporter=line")
	tests.Dir = folder
	tests.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	out, err := tests.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "1 passed") {
		t.Errorf("%v\n%s", err, out)
	}
	if left := docker(t, "ps", "--all", "--quiet", "--filter", "label="+label); left != "" {
		docker(t, "rm", "--force", left)
		t.Error("the container goes on when the tests have ended")
	}
}
