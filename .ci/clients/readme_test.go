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

// example returns an example of a page, with the address of a server in place of the one
// that the pages name.
func example(t *testing.T, page, kind, address string) string {
	t.Helper()
	return strings.ReplaceAll(pages.Example(t, page, kind), "127.0.0.1:8642", address)
}

// app makes an app of what the README has a frontend developer write, and returns
// its folder. A clone of the repository is beside it.
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
		os.Symlink(filepath.Join(root, ".ci/clients/node_modules"), filepath.Join(folder, "node_modules")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		".env.development.local": strings.ReplaceAll(variable[1], "127.0.0.1:8642", address) + "\n",
		"index.html":             `<ul></ul><script type="module" src="/src/main.ts"></script>`,
		"src/campaigns.ts":       "export async function campaigns() {\n" + example(t, "README.md", "ts src/campaigns.ts", address) + "return answer;\n}\n",
		"src/main.ts": `import { campaigns } from "./campaigns";
async function show() {
  const answer = await campaigns();
  document.body.innerHTML = answer.ok
    ? (await answer.json()).campaigns.map((c: { name: string }) => "<li>" + c.name).join("")
    : "<button>Try again</button>";
  document.querySelector("button")?.addEventListener("click", show);
}
show();
`,
		"vite.config.ts":       example(t, "README.md", "ts vite.config.ts", address),
		"campaigns.spec.ts":    example(t, "README.md", "ts campaigns.spec.ts", address),
		"playwright.config.ts": example(t, "fake/README.md", "ts playwright.config.ts", address),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// A frontend developer's app, its configuration and its end-to-end test work as the
// README and the page of package fake show them.
func TestFrontendOfTheREADME(t *testing.T) {
	t.Parallel()
	address, own := process.Free(t), process.Free(t)
	folder := app(t, address)
	config := filepath.Join(folder, "playwright.config.ts")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(own, ":")
	changed := strings.NewReplacer(
		"localhost:5173", "localhost:"+port,
		"npx vite", "npx vite --strictPort --port "+port,
		"use: {", `use: { launchOptions: { executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] },`,
	).Replace(string(text))
	if err := os.WriteFile(config, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("npx", "playwright", "test", "--reporter=line")
	run.Dir = folder
	run.Env = append(os.Environ(), "CAMPAIGNFAKE_LISTEN="+address, "TMPDIR="+t.TempDir()) // what is killed leaves files
	if out, err := run.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("1 passed")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// The table of what Vite's proxy makes of faults is true.
func TestFaultsBehindVite(t *testing.T) {
	t.Parallel()
	server := process.Start(t)
	own := process.Free(t)
	host, port, _ := strings.Cut(own, ":")
	vite := exec.Command("node", "node_modules/vite/bin/vite.js", "--strictPort", "--host", host, "--port", port)
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
	for deadline := time.Now().Add(time.Minute); meet(proxied, "") != "200 whole"; {
		if time.Now().After(deadline) {
			t.Fatalf("the proxy answers %s", meet(proxied, ""))
		}
	}

	_, table, _ := strings.Cut(pages.Text(t, "fixtures/README.md"), "| fault | behind Vite's proxy |")
	table, _, _ = strings.Cut(table, "\n\n")
	met := 0
	for _, row := range regexp.MustCompile(`(?m)^\| (.*\x60) \| (.*) \|$`).FindAllStringSubmatch(table, -1) {
		for _, name := range regexp.MustCompile("`(.*?)`").FindAllStringSubmatch(row[1], -1) {
			met++
			fault, want := name[1], ""
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
	if met != 9 {
		t.Errorf("the table has %d faults, want 9", met)
	}
}

// meet asks for a fault, and says what comes.
func meet(base, fault string) string {
	ctx, cancel := context.WithTimeout(context.Background(), impatient*time.Millisecond)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", base+"/user/campaigns", nil)
	if err != nil {
		return err.Error()
	}
	r.Header.Set("Authorization", "Bearer demo")
	if fault != "" {
		r.Header.Set("Prefer", "fault="+fault)
	}
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
