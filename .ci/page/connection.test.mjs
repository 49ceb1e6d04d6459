// The server goes away and comes back, and so does whoever looks at the page.
import assert from "node:assert/strict";
import {counts, has, holds, launch, reads, rows, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();
const gone = [/ERR_CONNECTION_REFUSED/, /ERR_CONNECTION_RESET/, /ERR_INCOMPLETE_CHUNKED_ENCODING/, /ERR_EMPTY_RESPONSE/];

test("the page comes back by itself when the server does, and shows what is new", async (t) => {
  const server = await serve(t);
  for (const token of ["demo", "demo", "demo"]) await server.ask(token);
  const page = await visit(t, browser, server, {foreseen: gone});
  await page.evaluate(() => (window.here = true));
  await rows(page).nth(2).click();
  await page.getByRole("heading", {name: "Received"}).waitFor();
  await server.stop();
  await page.getByRole("status").getByText("connecting").waitFor();
  await counts(rows(page), 3, "what was shown stays");
  await page.getByRole("button", {name: "Reset all"}).click();
  await page.getByRole("button", {name: "Now"}).click();
  await page.getByRole("status").getByText("The server does not answer.").waitFor();

  const again = await serve(t, "--listen", server.host);
  await page.getByText("live", {exact: true}).waitFor();
  await page.getByText("Nothing has arrived yet.").waitFor();
  await holds(page, () => document.querySelectorAll("#requests > li").length === 0); // nothing is left of the server before
  await again.ask("single");
  await rows(page).first().waitFor();
  await reads(rows(page).first(), /single/);
  await has(rows(page).first(), "aria-expanded", "false", "it is another request, with the number of one that was open");
  assert.equal(await page.evaluate(() => window.here), true);
});

test("a server that has seen more than the one before is shown as a whole", async (t) => {
  const server = await serve(t);
  await server.ask("demo");
  const page = await visit(t, browser, server, {foreseen: gone});
  await server.stop();
  await page.getByRole("status").getByText("connecting").waitFor();
  const again = await serve(t, "--listen", server.host);
  for (const token of ["single", "single", "single", "empty"]) await again.ask(token);
  await page.getByText("live", {exact: true}).waitFor();
  await holds(page, () => document.querySelectorAll("#requests > li").length === 4);
  assert.doesNotMatch((await rows(page).allInnerTexts()).join(), /demo/);
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
