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
  const reason = page.waitForEvent("console", (message) => message.text().includes("scripted: 503"));
  await page.evaluate(async (plane) => {
    await fetch(plane + "users?token=alice", {method: "PUT", body: '{"replies": [{"status": 503}]}'});
    const list = async () => console.log(await (await fetch(plane + "requests?token=alice")).text());
    new EventSource(plane + "events").addEventListener("changed", list);
  }, server.page);
  await Promise.all([server.ask("alice"), reason]);
});

test("other pages get nothing", async (t) => {
  const listed = await origin(t, "localhost"), other = await origin(t, "localhost");
  const server = await serve(t, "--control-origins", listed);
  await server.ask("demo");
  const answered = (page, path) => page.evaluate((url) => fetch(url).then((answer) => answer.status, (error) => error.name), server.page + path);
  for (const where of [other, other.replace("localhost", "127.0.0.1"), listed.replace("localhost", "127.0.0.1")]) {
    const page = await app(t, browser, where);
    for (const path of ["users", "requests", "health"]) assert.equal(await answered(page, path), "TypeError", where + path);
  }
  assert.equal(await answered(await app(t, browser, listed), "users"), 200);
});
