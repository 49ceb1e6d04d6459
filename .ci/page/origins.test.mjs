// A page of an origin that is listed with --control-origins uses the control plane as
// programs do; pages of other origins do not.
import assert from "node:assert/strict";
import {launch, test} from "./browser.mjs";
import {app, origin} from "./origin.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

test("a listed page steers, and hears of changes", async (t) => {
  const listed = await origin(t, "localhost");
  const server = await serve(t, "--control-origins", listed);
  const page = await app(t, browser, listed);
  const hasReason = (message) => message.text().includes("scripted: 503");
  const reason = page.waitForEvent("console", hasReason);
  await page.evaluate(async (plane) => {
    const body = '{"replies": [{"status": 503}]}';
    await fetch(plane + "users?token=alice", {method: "PUT", body});
    new EventSource(plane + "events").addEventListener("changed", async () => {
      const answer = await fetch(plane + "requests?token=alice");
      console.log(await answer.text());
    });
  }, server.page);
  await Promise.all([server.ask("alice"), reason]);
});

// answered returns the status with which a page is answered, or the error that it gets.
function answered(page, url) {
  return page.evaluate((url) => {
    return fetch(url).then((answer) => answer.status, (error) => error.name);
  }, url);
}

test("other pages get nothing", async (t) => {
  const listed = await origin(t, "localhost");
  const other = await origin(t, "localhost");
  const server = await serve(t, "--control-origins", listed);
  await server.ask("demo");
  const elsewhere = [
    other,
    other.replace("localhost", "127.0.0.1"),
    listed.replace("localhost", "127.0.0.1"),
  ];
  for (const where of elsewhere) {
    const page = await app(t, browser, where);
    for (const path of ["users", "requests", "health"]) {
      assert.equal(await answered(page, server.page + path), "TypeError", where + path);
    }
  }
  const page = await app(t, browser, listed);
  assert.equal(await answered(page, server.page + "users"), 200);
});
