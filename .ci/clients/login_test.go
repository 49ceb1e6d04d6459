package clients

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

// logsIn is an app that logs in when it starts for the first time.
const logsIn = `import { show } from "./campaigns";

async function start() {
  if (!localStorage.token) {
    const answer = await fetch(import.meta.env.VITE_API_URL + "/login", { method: "POST" });
    localStorage.token = (await answer.json()).token;
  }
  show(document.querySelector("main")!);
}
start();
`

// beforeLogin is a test that steers a token before it knows it, by the user that all logins are
// like.
const beforeLogin = `
test("shows an error to who logs in", async ({ page, campaigns }) => {
  await campaigns.withToken("demo").setUser({ replies: [{ status: 418, times: "always" }] });
  await page.goto("/");
  await expect(page.getByText("The service answers 418.")).toBeVisible();
});
`

// newLogins returns an API whose logins have another token each time.
func newLogins(t *testing.T) *httptest.Server {
	t.Helper()
	var count atomic.Int64
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "POST" || r.URL.Path != "/v1/login" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, `{"token":"login.%d"}`, count.Add(1))
	}))
	t.Cleanup(api.Close)
	return api
}

// Tests of an app that logs in at the upstream steer the token of its login: before they know it,
// and afterwards. It is back to how it was when they have ended, so that they pass again.
func TestPlaywrightWithLogin(t *testing.T) {
	t.Parallel()
	api := newLogins(t)
	server := process.Start(t, "--upstream", api.URL+"/v1", "--unknown-tokens", "like demo")
	folder := appWith(t, server, map[string]string{
		"src/main.ts":       logsIn,
		"campaigns.spec.ts": pages.Example(t, "ts login.spec.ts") + beforeLogin,
	})
	out, err := endToEnd(t, folder, "--workers=1", "--repeat-each=2")
	if err != nil || !strings.Contains(out, "4 passed") {
		t.Errorf("%v\n%s", err, out)
	}
	checkNothingLeft(t, server)
	status, _, err := process.Ask(server.BaseURL, "demo")
	if err != nil || status != http.StatusOK {
		t.Errorf("demo is answered %d (%v) after the tests", status, err)
	}
}
