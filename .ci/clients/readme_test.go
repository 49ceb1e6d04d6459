// Package clients follows the pages as a frontend developer does: with Vite, Playwright, a
// browser and npm. It is no part of go test ./..., since it needs them all.
package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

func TestMain(m *testing.M) { os.Exit(process.Main(m)) }

// example returns an example of the pages, with the address of a server in place of the one
// that they name.
func example(t *testing.T, kind, address string) string {
	t.Helper()
	return strings.ReplaceAll(pages.Example(t, kind), "127.0.0.1:8642", address)
}

// app makes an app of what the pages have a frontend developer write, and returns
// its folder. Beside it are a clone of the repository, and the packages that an app has.
func app(t *testing.T, address string) string {
	t.Helper()
	top := t.TempDir()
	process.Link(t, top, "campaignfake", ".")
	process.Link(t, top, "node_modules", ".ci/clients/node_modules")
	folder := filepath.Join(top, "app")
	variable := pages.Code(t, "`(VITE_.*?)`")
	process.Write(t, folder, map[string]string{
		".env.development.local": strings.ReplaceAll(variable, "127.0.0.1:8642", address) + "\n",
		"package.json":           `{"type": "module"}`,
		"index.html":             `<main></main><script type="module" src="/src/main.ts"></script>`,
		"src/campaigns.ts":       example(t, "ts src/campaigns.ts", address),
		"src/main.ts": `import { show } from "./campaigns";
show(document.querySelector("main")!);
`,
		"vite.config.ts":       example(t, "ts vite.config.ts", address),
		"campaigns.spec.ts":    example(t, "ts campaigns.spec.ts", address),
		"playwright.config.ts": playwright(t, address),
	})
	return folder
}
