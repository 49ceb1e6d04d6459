package clients

import (
	"regexp"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

// showsAny is an app that shows each answer as it comes, whatever was chosen since.
const showsAny = `
const list = document.querySelector("main")!;
Object.assign(window, { choose });

async function choose(token: string) {
  const headers = { Authorization: "Bearer " + token };
  const answer = await fetch(import.meta.env.VITE_API_URL + "/user/campaigns", { headers });
  const { campaigns } = await answer.json();
  list.textContent = campaigns.map((c: { name: string }) => c.name).join(", ");
}
`

// The recipe of the page fails an app that shows an answer which is no longer asked for, and
// passes with one that does not.
func TestAnswersOutOfOrder(t *testing.T) {
	t.Parallel()
	server := process.Start(t)
	recipe := `import { expect, test } from "campaignfake/playwright";
test("order", async ({ page, campaigns }) => {
  await page.goto("/");
  const choose = (token: string) =>
    page.evaluate((token) => void (window as any).choose(token), token);
  ` + pages.Example(t, "fake/README.md", "ts order") + `
});
`
	showsLast := strings.NewReplacer(
		"async function choose(token: string) {", `let chosen = "";

async function choose(token: string) {
  chosen = token;`,
		"  list.textContent", "  if (token === chosen) list.textContent",
	).Replace(showsAny)
	lastLine := `> \d+ \| await expect.*// and not the single campaign`
	for app, want := range map[string]string{showsAny: lastLine, showsLast: "1 passed"} {
		folder := appWith(t, server, map[string]string{
			"src/main.ts":       app,
			"campaigns.spec.ts": recipe,
		})
		out, err := endToEnd(t, folder)
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("want %s: %v\n%s", want, err, out)
		}
	}
}
