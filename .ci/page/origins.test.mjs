// A page of an origin that is listed with --control-origins uses the control plane as
// programs do; pages of other origins do not.
import assert from "node:assert/strict";
import {readFile} from "node:fs/promises";
import {launch, test} from "./browser.mjs";
import {app, origin} from "./origin.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

test("a listed page does what the page of package fake shows", async (t) => {
  const text = await readFile("../../fake/README.md", "utf8");
  const [, example] = /```js steer\.mjs\n(.*?)```\n/s.exec(text);
  const listed = await origin(t, "localhost");
  const server = await serve(t, "--control-origins", listed);
  const page = await app(t, browser, listed);
  const logged = page.waitForEvent("console", (message) => message.text().includes("503"));
  await page.evaluate(`(async () => {${example.replaceAll("127.0.0.1:8642", server.host)}})()`);
  await server.ask("alice");
  await logged;
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
