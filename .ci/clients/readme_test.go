// Package clients follows the pages as a frontend developer does: with Vite, Playwright, a
// browser and npm. It is no part of go test ./..., since it needs them all.
package clients

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

func TestMain(m *testing.M) { os.Exit(process.Main(m)) }

// example returns an example of a page, with the address of a server in place of the one
// that the pages name.
func example(t *testing.T, page, kind, address string) string {
	t.Helper()
	return strings.ReplaceAll(pages.Example(t, page, kind), "127.0.0.1:8642", address)
}

// app makes an app of what the README has a frontend developer write, and returns
// its folder. Beside it are a clone of the repository, and the packages that an app has.
func app(t *testing.T, address string) string {
	t.Helper()
	top := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	variable := regexp.MustCompile("`(VITE_.*?)`").FindStringSubmatch(pages.Text(t, "README.md"))
	if variable == nil {
		t.Fatal("the README names no variable")
	}
	folder := filepath.Join(top, "app")
	for _, err := range []error{
		os.Symlink(root, filepath.Join(top, "campaignfake")),
		os.MkdirAll(filepath.Join(folder, "src"), 0o755),
		os.Symlink(filepath.Join(root, ".ci/clients/node_modules"), filepath.Join(top, "node_modules")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		".env.development.local": strings.ReplaceAll(variable[1], "127.0.0.1:8642", address) + "\n",
		"package.json":           "{}",
		"index.html":             `<main></main><script type="module" src="/src/main.ts"></script>`,
		"src/campaigns.ts":       example(t, "README.md", "ts src/campaigns.ts", address),
		"src/main.ts": `import { show } from "./campaigns";
show(document.querySelector("main")!);
`,
		"vite.config.ts":       example(t, "fake/README.md", "ts vite.config.ts", address),
		"campaigns.spec.ts":    example(t, "README.md", "ts campaigns.spec.ts", address),
		"playwright.config.ts": playwright(t, address),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// The table of what Vite's proxy makes of faults is true.
func TestFaultsBehindVite(t *testing.T) {
	t.Parallel()
	server := process.Start(t)
	own := process.Free(t)
	host, port, _ := strings.Cut(own, ":")
	vite := exec.Command("node", "../node_modules/vite/bin/vite.js", "--strictPort", "--host", host, "--port", port)
	vite.Dir = app(t, server.Address)
	var output bytes.Buffer
	vite.Stdout, vite.Stderr = &output, &output
	if err := vite.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		vite.Process.Signal(syscall.SIGTERM)
		vite.Wait()
		if t.Failed() {
			t.Logf("Vite wrote\n%s", output.String())
		}
	})
	proxied := "http://" + own + "/api"
	for deadline := time.Now().Add(time.Minute); meet(proxied, "demo") != "200 whole"; {
		if time.Now().After(deadline) {
			t.Fatalf("the proxy answers %s", meet(proxied, "demo"))
		}
	}

	_, table, _ := strings.Cut(pages.Text(t, "fixtures/README.md"), "| fault | behind Vite's proxy |")
	table, _, _ = strings.Cut(table, "\n\n")
	met := 0
	for _, row := range regexp.MustCompile(`(?m)^\| (.*\x60) \| (.*) \|$`).FindAllStringSubmatch(table, -1) {
		for _, name := range regexp.MustCompile("`(.*?)`").FindAllStringSubmatch(row[1], -1) {
			met++
			fault, want := name[1], ""
			give(t, server.BaseURL, fault)
			switch {
			case strings.HasPrefix(row[2], "502 with an empty body"):
				want = "502 empty"
			case strings.HasPrefix(row[2], "200 and a part of the body, then nothing"):
				want = "200 then nothing"
			case row[2] == "as without a proxy":
				want = meet(server.BaseURL, fault)
			default:
				t.Fatalf("%q is not known here", row[2])
			}
			if got := meet(proxied, fault); got != want {
				t.Errorf("behind the proxy %s is %q, want %q", fault, got, want)
			}
		}
	}
	if met != 7 {
		t.Errorf("the table has %d faults, want 7", met)
	}
}

// give gives a token named like a fault a user whose answers all have it.
func give(t *testing.T, base, fault string) {
	t.Helper()
	r, err := http.NewRequest("PUT", strings.TrimSuffix(base, "/api")+"/_fake/users?token="+fault,
		strings.NewReader(`{"generate": {"count": 8}, "replies": [{"fault": "`+fault+`", "times": "always"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode >= 300 {
		t.Fatalf("the user of %s is answered %s", fault, answer.Status)
	}
}

// meet asks with a token, and says what comes.
func meet(base, token string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 700*time.Millisecond)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", base+"/user/campaigns", nil)
	if err != nil {
		return err.Error()
	}
	r.Header.Set("Authorization", "Bearer "+token)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(r)
	if ctx.Err() != nil {
		return "nothing"
	} else if err != nil {
		return "broken"
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	switch {
	case ctx.Err() != nil:
		return fmt.Sprint(answer.StatusCode, " then nothing")
	case err != nil:
		return fmt.Sprint(answer.StatusCode, " broken")
	case len(body) == 0:
		return fmt.Sprint(answer.StatusCode, " empty")
	}
	return fmt.Sprint(answer.StatusCode, " whole")
}

// The script of the page of package fake steers the server.
func TestScriptOfThePage(t *testing.T) {
	t.Parallel()
	server := process.Start(t)
	script := example(t, "fake/README.md", "js test.mjs", server.Address)
	asks := regexp.MustCompile(`(?m)^// … .*$`)
	if !asks.MatchString(script) {
		t.Fatal("the script has no line where the app asks")
	}
	script = asks.ReplaceAllLiteralString(script, `await fetch("`+server.BaseURL+`/user/campaigns", {headers: {Authorization: "Bearer alice"}}).then((answer) => answer.text()).catch(() => {});`)
	node := exec.Command("node", "--input-type=module")
	node.Stdin = strings.NewReader(script)
	if out, err := node.CombinedOutput(); err != nil || !bytes.HasPrefix(out, []byte("200 enqueued: truncate")) {
		t.Errorf("%v\n%s", err, out)
	}
}
