// The server goes away and comes back, and so does whoever looks at the page.
import assert from "node:assert/strict";
import {counts, has, launch, reads, rows, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

test("a server that is gone is said to be, and what another in its place knows is shown by itself", async (t) => {
  const server = await serve(t);
  for (const token of ["demo", "demo", "demo"]) await server.ask(token);
  const page = await visit(t, browser, server, {foreseen: [/ERR_/]});
  await page.evaluate(() => (window.here = true));
  await rows(page).nth(2).click();
  await page.getByRole("heading", {name: "Received"}).waitFor();
  const lost = page.getByRole("alert").filter({hasText: "The server does not answer."});
  await counts(lost, 0);
  await server.stop();
  await lost.waitFor();
  assert.equal(await lost.evaluate((it) => it.getBoundingClientRect().width > innerWidth / 2), true, "it is not a small word");
  await page.getByText("connecting", {exact: true}).waitFor();
  await counts(rows(page), 3, "what was shown stays");
  await page.getByRole("button", {name: "Reset all"}).click();
  await reads(page.locator("#notice"), /^The server does not answer\.$/);

  const again = await serve(t, "--listen", server.host);
  await page.getByText("live", {exact: true}).waitFor();
  await counts(lost, 0);
  await page.getByText("Nothing has arrived yet.").waitFor();
  await counts(rows(page), 0, "nothing is left of the server before");
  await again.ask("single");
  await reads(rows(page).first(), /single/);
  await has(rows(page).first(), "aria-expanded", "false", "it is another request, with the number of one that was open");
  assert.equal(await page.evaluate(() => window.here), true);
});

test("a hidden page holds no stream, and catches up when it is seen again", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {foreseen: [/ERR_ABORTED/]});
  // A window without a screen is never hidden, so the page is told that it is.
  const hide = (hidden) => page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
  const ended = page.waitForEvent("requestfailed", (request) => request.url().includes("/events"));
  await hide(true);
  await ended;
  const asked = page.asked.length;
  await server.ask("demo");
  await counts(rows(page), 0);
  assert.equal(page.asked.length, asked, "nothing is asked for meanwhile");
  await hide(false);
  await rows(page).first().waitFor();
  await server.ask("single");
  await rows(page).nth(1).waitFor();
});
