package clients

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

// playwright returns the configuration of the page, with the browser at hand, another port
// for the app, and the address of a server for the fixture, too.
func playwright(t *testing.T, address string) string {
	t.Helper()
	_, port, _ := strings.Cut(process.Free(t), ":")
	return strings.NewReplacer(
		"localhost:5173", "localhost:"+port,
		"npx vite", "npx vite --strictPort --port "+port,
		"defineConfig(", "defineConfig<{ campaignsURL: string }>(",
		"use: {", `use: { campaignsURL: "http://`+address+`",
    launchOptions: { executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] },`,
	).Replace(example(t, "fake/README.md", "ts playwright.config.ts", address))
}

// endToEnd runs the end-to-end tests in a folder, and returns what is printed.
func endToEnd(t *testing.T, folder, address string, args ...string) (output string, err error) {
	t.Helper()
	run := exec.Command("npx", append([]string{"playwright", "test", "--reporter=line"}, args...)...)
	run.Dir = folder
	run.Env = append(os.Environ(), "CAMPAIGNFAKE_LISTEN="+address, "TMPDIR="+t.TempDir()) // what is killed leaves files
	out, err := run.CombinedOutput()
	return string(out), err
}

// appWith makes an app beside a server that runs, with other files in place of, or beside,
// those of the pages. The address of the server stands in them as SERVER.
func appWith(t *testing.T, server *process.Server, files map[string]string) (folder string) {
	t.Helper()
	folder = app(t, server.Address)
	err := os.CopyFS(filepath.Join(folder, "node_modules/campaignfake"), os.DirFS("../../cmd/campaignfake/npm"))
	for name, text := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), []byte(strings.ReplaceAll(text, "SERVER", "http://"+server.Address)), 0o644)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// A frontend developer's app, its configuration and its end-to-end test work as the
// README and the page of package fake show them.
func TestFrontendOfTheREADME(t *testing.T) {
	t.Parallel()
	address := process.Free(t)
	folder := app(t, address)
	install := exec.Command("sh", "-ec", pages.Example(t, "README.md", "sh playwright"))
	install.Dir = folder
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := endToEnd(t, folder, address); err != nil || !strings.Contains(out, "1 passed") {
		t.Errorf("%v\n%s", err, out)
	}
}

// asks begins a file of tests, which ask for campaigns as an app does.
const asks = `import { expect, test } from "campaignfake/playwright";
const ask = async (token: string, path = "/api/user/campaigns") =>
  (await fetch("SERVER" + path, { headers: { Authorization: "Bearer " + token } })).status;
`

// The same tests pass again and again beside a server that goes on running, and so does one
// whose first attempt has left a reply unplayed, and asked for what the service does not have.
func TestPlaywrightAgainAndAgain(t *testing.T) {
	t.Parallel()
	server := process.Start(t)
	folder := appWith(t, server, map[string]string{"flaky.spec.ts": asks + `
test("flaky", async ({ campaigns }, { retry }) => {
  await campaigns.reply({ status: 503, times: 2 });
  expect(await ask(campaigns.token)).toBe(503);
  expect(await ask(campaigns.token, retry ? undefined : "/api/users/campaigns")).toBe(503);
});
`})
	for _, args := range [][]string{nil, nil, {"--repeat-each=2", "--workers=2"}} {
		out, err := endToEnd(t, folder, server.Address, append(args, "--retries=1")...)
		if err != nil || !strings.Contains(out, "flaky\n") || !strings.Contains(out, "passed") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}

// All that the fixture has does what the page says.
func TestPlaywrightFixture(t *testing.T) {
	t.Parallel()
	server := process.Start(t)
	folder := appWith(t, server, map[string]string{"campaigns.spec.ts": asks + `
test("steers", async ({ campaigns }) => {
  await campaigns.setUser({ replies: [{ status: 418 }] });
  await campaigns.reply({ status: 503 }, { delay: "until released" });
  expect(await ask(campaigns.token)).toBe(503);
  const held = ask(campaigns.token);
  expect(await campaigns.awaitRequests(2)).toHaveLength(2);
  expect(await campaigns.release()).toBe(1);
  expect([await held, await ask(campaigns.token)]).toEqual([200, 418]);
  expect((await campaigns.requests()).map((r) => r.status)).toEqual([503, 200, 418]);
});
test("asks with a token of no test", async () => void (await ask("undefined", "/api/campaigns")));
`})
	out, err := endToEnd(t, folder, server.Address)
	if err == nil || !strings.Contains(out, "2 passed") || !strings.Contains(out, "GET /api/campaigns (undefined): 404") {
		t.Errorf("a request of no test: %v\n%s", err, out)
	}
}

// A test fails with what is wrong and what to change, and its requests are attached.
func TestPlaywrightFails(t *testing.T) {
	t.Parallel()
	server := process.Start(t)
	folder := appWith(t, server, map[string]string{"campaigns.spec.ts": asks + `
test("unmatched", async ({ campaigns }) => void (await ask(campaigns.token, "/api/users/campaigns")));
test("unplayed", async ({ campaigns }) => {
  await campaigns.setUser({ replies: [{ status: 503, times: 3 }] });
  await ask(campaigns.token);
});
test("mistake", async ({ campaigns }) => await campaigns.reply({ statu: 503 } as object));
test("own", async ({ campaigns }) => expect(await ask(campaigns.token)).toBe(418));
test("another token", async ({ campaigns }) => expect(await ask("undefined")).toBe(418));
test.describe(() => {
  test.use({ campaignsURL: "http://127.0.0.1:1111" });
  test("no server", ({ campaigns }) => {});
});
`})
	out, err := endToEnd(t, folder, server.Address)
	if err == nil {
		t.Error("the run passes")
	}
	for _, want := range []string{
		"6 failed",
		"Requests matched nothing:", "GET /api/users/campaigns (", "The service has one path: the base URL, and /user/campaigns after it.",
		"Replies not played:", "reply 1 of 1 (503): 1 of 3 times",
		"replies[0].statu: is not a known key; did you mean status?",
		"The requests of this test:", ": 200, 3 generated campaigns",
		"None had the token of this test:", "GET /api/user/campaigns (undefined): 200, ",
		"no server answers at http://127.0.0.1:1111 (ECONNREFUSED); start it, or set campaignsURL",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the output does not have %q", want)
		}
	}
	if t.Failed() {
		t.Log(out)
	}
}

// strictMode is an app in React that asks twice when it starts, and aborts the first request,
// which may have arrived by then.
const strictMode = `import { createElement, StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

function Campaigns() {
  const [attempt, setAttempt] = useState(0);
  const [text, setText] = useState("Loading…");
  useEffect(() => {
    const abort = new AbortController();
    const headers = { Authorization: "Bearer " + localStorage.getItem("token") };
    fetch(import.meta.env.VITE_API_URL + "/user/campaigns", { headers, signal: abort.signal })
      .then(async (answer) => {
        if (!answer.ok) throw new Error("The service answers " + answer.status + ".");
        setText((await answer.json()).campaigns.map((c: { name: string }) => c.name).join(", "));
      })
      .catch((error) => abort.signal.aborted || setText(error.message));
    return () => abort.abort();
  }, [attempt]);
  return createElement("p", null, text, createElement("button", { onClick: () => setAttempt(attempt + 1) }, "Try again"));
}
createRoot(document.querySelector("main")!).render(createElement(StrictMode, null, createElement(Campaigns)));
`

// The test of the README passes with an app in React's StrictMode, which asks its own origin
// and Vite's proxy passes that on, as the page of package fake says.
func TestPlaywrightInStrictMode(t *testing.T) {
	t.Parallel()
	server := process.Start(t)
	folder := appWith(t, server, map[string]string{"src/main.ts": strictMode, ".env.development.local": "VITE_API_URL=/api\n"})
	if out, err := endToEnd(t, folder, server.Address); err != nil || !strings.Contains(out, "1 passed") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The types of the fixture have the fields of the format, and no others.
func TestPlaywrightTypes(t *testing.T) {
	t.Parallel()
	types := pages.Text(t, "cmd/campaignfake/npm/playwright.d.ts")
	var schema struct {
		Definitions map[string]struct{ Properties map[string]any }
	}
	if err := json.Unmarshal([]byte(pages.Text(t, "fixtures/schema.json")), &schema); err != nil {
		t.Fatal(err)
	}
	fields, ofFields := regexp.MustCompile(`(\w+)\?`), regexp.MustCompile(`: \{.*?\}`)
	for definition, name := range map[string]string{"user": "User", "reply": "Reply", "campaign": "Campaign"} {
		_, text, _ := strings.Cut(types, "interface "+name+" {")
		text, _, _ = strings.Cut(text, "\nexport")
		var got []string
		for _, field := range fields.FindAllStringSubmatch(ofFields.ReplaceAllString(text, ""), -1) {
			got = append(got, field[1])
		}
		slices.Sort(got)
		if want := slices.Sorted(maps.Keys(schema.Definitions[definition].Properties)); !slices.Equal(got, want) {
			t.Errorf("%s has %q, and the format %q", name, got, want)
		}
	}
}
