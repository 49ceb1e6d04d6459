package clients

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

// playwright returns the configuration of the page, with the browser at hand, and another port
// for the app.
func playwright(t *testing.T, address string) string {
	t.Helper()
	_, port, _ := strings.Cut(process.Free(t), ":")
	return strings.NewReplacer(
		"localhost:5173", "localhost:"+port,
		"npx vite", "npx vite --strictPort --port "+port,
		"use: {", `use: {
    launchOptions: { executablePath: "/usr/bin/chromium-headless-shell", args: ["--no-sandbox"] },`,
	).Replace(example(t, "ts playwright.config.ts", address))
}

// endToEnd runs the end-to-end tests in a folder, and returns what is printed.
func endToEnd(t *testing.T, folder string, args ...string) (output string, err error) {
	t.Helper()
	run := playwrightIn(t, folder, args...)
	out, err := run.CombinedOutput()
	return string(out), err
}

// playwrightIn returns the command that runs the end-to-end tests in a folder.
func playwrightIn(t *testing.T, folder string, args ...string) *exec.Cmd {
	t.Helper()
	run := exec.Command("npx",
		append([]string{"playwright", "test", "--reporter=line"}, args...)...)
	run.Dir = folder
	run.Env = append(os.Environ(), "TMPDIR="+t.TempDir()) // what is killed leaves files
	return run
}

// appWith makes an app beside a server that runs, with other files in place of, or beside,
// those of the pages. The address of the server stands in them as SERVER.
func appWith(t *testing.T, server *process.Server, files map[string]string) (folder string) {
	t.Helper()
	folder = app(t, server.Address)
	fixture := os.DirFS("../../cmd/campaignfake/npm")
	if err := os.CopyFS(filepath.Join(folder, "node_modules/campaignfake"), fixture); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		files[name] = strings.ReplaceAll(text, "SERVER", "http://"+server.Address)
	}
	process.Write(t, folder, files)
	return folder
}

// A frontend developer's app, its configuration and its end-to-end test work as the pages show
// them.
func TestFrontendOfThePages(t *testing.T) {
	t.Parallel()
	address := process.Free(t)
	folder := app(t, address)
	more := "npm install --no-audit\n" // as of another package, which must not take the copy away
	install := exec.Command("sh", "-ec", pages.Example(t, "sh playwright")+more)
	install.Dir = folder
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tests := playwrightIn(t, folder)
	tests.Env = append(tests.Env, "CAMPAIGNFAKE_LISTEN="+address)
	out, err := tests.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "1 passed") {
		t.Errorf("%v\n%s", err, out)
	}
}

// withoutApp is a configuration for tests that ask by themselves.
const withoutApp = `import { defineConfig } from "@playwright/test";
import type { CampaignsOptions } from "campaignfake/playwright";

export default defineConfig<CampaignsOptions>({
  globalSetup: "campaignfake/playwright",
  use: {
    campaignsURL: "SERVER",
    launchOptions: { executablePath: "/usr/bin/chromium-headless-shell", args: ["--no-sandbox"] },
  },
});
`

// asks begins a file of tests, which ask for campaigns as an app does.
const asks = `import { expect, test } from "campaignfake/playwright";
const ask = async (token: string, path = "/api/user/campaigns") =>
  (await fetch("SERVER" + path, { headers: { Authorization: "Bearer " + token } })).status;
`

// All that the fixture has does what the page says, and nothing is left of a test, not even what
// its page has sent after it. A wrong request of no test fails the run, also if the whole server
// was reset before it.
func TestPlaywrightFixture(t *testing.T) {
	t.Parallel()
	server := process.Start(t)
	for range 200 { // so that the numbers of requests are lower after the reset
		if _, _, err := process.Ask(server.BaseURL, "before"); err != nil {
			t.Fatal(err)
		}
	}
	folder := appWith(t, server,
		map[string]string{"playwright.config.ts": withoutApp, "campaigns.spec.ts": asks + `
test("resets all", async () => {
  await fetch("SERVER/_fake/reset", { method: "POST" });
});
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
test("flaky", async ({ campaigns }) => {
  const flaky = campaigns.like("flaky");
  const forbidden = campaigns.like("forbidden");
  await forbidden.reply({ status: 418 });
  expect([await ask(forbidden.token), await ask(forbidden.token)]).toEqual([418, 403]);
  expect([await ask(campaigns.token), await ask(flaky.token)]).toEqual([200, 503]);
  expect(await forbidden.requests()).toHaveLength(2);
});
test("has learnt a token", async ({ campaigns }) => {
  const login = campaigns.withToken("a+login/1=");
  await login.behaveLike("forbidden");
  expect([await ask(login.token), await login.requests()]).toMatchObject([403, { length: 1 }]);
});
test("is told its mistakes", async ({ campaigns }) => {
  expect(() => campaigns.like("flakky")).toThrow(/no user has the token "flakky"; the users are demo, /);
  expect(() => campaigns.like(undefined as any)).toThrow(/like: undefined is not text; give it a text, /);
  expect(() => campaigns.withToken("\ud800")).toThrow('the token "\\ud800" cannot be sent by every client');
  expect(() => campaigns.withToken(Promise.resolve("a") as any)).toThrow("is to be awaited");
  await expect(campaigns.setUser("alice" as any)).rejects.toThrow('call behaveLike("alice")');
  await expect(campaigns.setUser([] as any)).rejects.toThrow("setUser: [] is not a user; write");
  await expect(campaigns.reply({ statu: 503 } as any)).rejects.toThrow("did you mean status?");
  await expect(campaigns.awaitRequests(1)).rejects.toThrow("after 10 seconds, 0 of 1 requests with");
  await campaigns.reply({ delay: "until released" });
  await expect(campaigns.release()).rejects.toThrow("no request is held, but the next one will be");
  await campaigns.setUser({}); // which drops the reply
});
const asksLast = test.extend({
  page: async ({ page }, use) => {
    await use(page);
    await page.evaluate(() => fetch("/api/user/campaigns", {
      headers: { Authorization: "Bearer " + localStorage.token },
    }));
  },
});
asksLast("has a page", async ({ page, campaigns }) => {
  await page.goto("SERVER/");
  await page.evaluate((token) => { localStorage.token = token; }, campaigns.token);
});
test("asks with a token of no test", async () => {
  await ask("undefined", "/api/campaigns");
  await ask("demo", "/api/user/campaigns?page=2");
});
`})
	out, err := endToEnd(t, folder)
	for _, want := range []string{
		"7 passed",
		"matched nothing:\n  GET /api/campaigns (undefined): 404",
		"had a query:\n  GET /api/user/campaigns?page=2 (demo): 200",
	} {
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("the run ends with %v, and without %q\n%s", err, want, out)
		}
	}
	checkNothingLeft(t, server)
}

// checkNothingLeft checks that no token of a test is in the journal, or in the list of users.
func checkNothingLeft(t *testing.T, server *process.Server) {
	t.Helper()
	root := strings.TrimSuffix(server.BaseURL, "/api")
	for _, path := range []string{"/_fake/users", "/_fake/requests?limit=1000"} {
		response, err := http.Get(root + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		ofTest := regexp.MustCompile(`"token":"([^"]*~[0-9a-f]{12}|a\+login/1=)"`)
		if own := ofTest.FindSubmatch(body); own != nil {
			t.Errorf("%s has the token %s of a test that has ended", path, own[1])
		}
	}
}

// A test fails with what is wrong and what to change. Its requests are attached, of which the
// terminal shows the first characters.
func TestPlaywrightFails(t *testing.T) {
	t.Parallel()
	server := process.Start(t)
	folder := appWith(t, server,
		map[string]string{"playwright.config.ts": withoutApp, "campaigns.spec.ts": asks + `
test("wrong requests", async ({ campaigns }) => {
  await campaigns.like("demo").setUser({ replies: [{ status: 503, times: 3 }] });
  await ask(campaigns.like("demo").token);
  await ask(campaigns.like("demo").token, "/api/users/campaigns");
  await ask(campaigns.token, "/api/user/campaigns?page=2");
  await ask(campaigns.token, "/api/user/campaigns?page=2");
});
test("own", async ({ campaigns }) => {
  await fetch("SERVER/api/user/campaigns", { method: "OPTIONS", headers: {
    Origin: "http://localhost", "Access-Control-Request-Method": "GET" } });
  for (let i = 0; i < 9; i++) await ask(campaigns.token);
  expect(await ask(campaigns.like("forbidden").token)).toBe(418);
});
test("not handed on", async ({ campaigns }) => {
  await campaigns.like("flaky").reply({ status: 500, times: "always" });
  expect(await ask(campaigns.token)).toBe(500);
});
test("another token", async ({ campaigns }) => expect(await ask("undefined")).toBe(418));
test.describe(() => {
  test.use({ campaignsURL: "http://127.0.0.1:1111" });
  test("no server", ({ campaigns }) => {});
});
test("asks with a login", async () => void await ask("login", "/api/logout"));
test("learns the login later", ({ campaigns }) => void campaigns.withToken("login"));
`})
	out, err := endToEnd(t, folder)
	for _, want := range []string{
		"6 failed",
		`Requests matched nothing:
      GET /api/users/campaigns (like demo): 404
        The path is /api/users/campaigns.
        The service has one path: the base URL, and /user/campaigns after it.`,
		`Requests had a query:
      2 times GET /api/user/campaigns?page=2: 200
        The query ?page=2 was sent, and the service documents none`,
		`Replies not played:
      reply 1 of 1 (503): 1 of 3 times`,
		`The requests of this test, the latest first:
      GET /api/user/campaigns (like forbidden): 403, scripted: 403, headers of its own (always)
      9 times GET /api/user/campaigns: 200, 3 generated campaigns`,
		`No request had a token to which the test gave a user or replies:
      campaigns.like("flaky").token: does the app get it?
    The requests of this test, the latest first:
      GET /api/user/campaigns: 200`,
		`No request had a token to which the test gave a user or replies:
      campaigns.token: does the app get it?
    The latest requests of no test:
      GET /api/user/campaigns (undefined): 200`,
		`Requests had a word in place of a token:
  GET /api/user/campaigns (undefined): 200
    The token is the word undefined, which`,
		"matched nothing:\n      GET /api/logout (login): 404",
		"came before this test, with a token that it has learnt",
		"no server answers at http://127.0.0.1:1111 (ECONNREFUSED); start it, or set campaignsURL",
	} {
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("the run ends with %v, and without %q", err, want)
		}
	}
	if strings.Contains(out, "TypeError") || t.Failed() {
		t.Errorf("the run prints\n%s", out)
	}
	checkNothingLeft(t, server)
}
