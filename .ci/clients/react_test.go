package clients

import (
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

// strictMode is an app in React with the defaults of TanStack Query. It asks twice when it starts,
// and aborts the first request, which may have arrived by then; after an error it asks three times
// more.
const strictMode = `import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";

async function list({ signal }: { signal: AbortSignal }) {
  const headers = { Authorization: "Bearer " + localStorage.getItem("token") };
  const url = import.meta.env.VITE_API_URL + "/user/campaigns";
  const answer = await fetch(url, { headers, signal });
  if (!answer.ok) throw new Error("The service answers " + answer.status + ".");
  return (await answer.json()).campaigns;
}

function Campaigns() {
  const { data, error, refetch } = useQuery({ queryKey: ["campaigns"], queryFn: list });
  const names = data?.map((c: { name: string }) => c.name).join(", ");
  const text = error ? error.message : (names ?? "Loading…");
  const again = createElement("button", { onClick: () => refetch() }, "Try again");
  return createElement("p", null, text, again);
}

const client = new QueryClient();
const screen = createElement(QueryClientProvider, { client }, createElement(Campaigns));
createRoot(document.querySelector("main")!).render(createElement(StrictMode, null, screen));
`

// loading is a test of a state that ends when the test says so.
const loading = `import { expect, test } from "campaignfake/playwright";
test("shows that it loads", async ({ page, campaigns }) => {
  await campaigns.reply({ delay: "until released" });
  await page.addInitScript((token) => localStorage.setItem("token", token), campaigns.token);
  await page.goto("/");
  await expect(page.getByText("Loading…")).toBeVisible();
  await campaigns.awaitRequests(1);
  await campaigns.release();
  await expect(page.getByText("Loading…")).toBeHidden();
});
`

// The test of the README passes with an app in React's StrictMode and with the defaults of TanStack
// Query, by the setting of the README. The app asks its own origin, and Vite's proxy passes that
// on, as the page of package fake says.
func TestPlaywrightInStrictMode(t *testing.T) {
	t.Parallel()
	server := process.Start(t)
	setting := pages.Code(t, "`(expect: \\{ .* \\})`")
	config := playwright(t, server.Address)
	folder := appWith(t, server, map[string]string{
		"src/main.ts":            strictMode,
		".env.development.local": "VITE_API_URL=/api\n",
		"loading.spec.ts":        loading,
		"playwright.config.ts":   strings.Replace(config, "use: {", setting+",\n  use: {", 1),
	})
	out, err := endToEnd(t, folder)
	if err != nil || !strings.Contains(out, "2 passed") {
		t.Errorf("%v\n%s", err, out)
	}
}
