// A user is copied as a file of fixtures.
import assert from "node:assert/strict";
import {launch, reads, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

test("what is copied of a user is a file of fixtures, with all digits of its numbers", async (t) => {
  const server = await serve(t);
  const answer = await fetch(server.origin + "/_fake/users?token=alice", {
    method: "PUT", // as text, since JavaScript has no such number
    body: '{"campaigns": [{"id": "1", "name": null, "extra": {"budget": 12345678901234567890}}], "delay": "0s"}',
  });
  assert.equal(answer.status, 201);
  const page = await visit(t, browser, server, {
    path: "?token=alice",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.getByRole("button", {name: "Copy YAML"}).click();
  await reads(page.locator("#notice"), /^Copied\.$/);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, `users:
  alice:
    campaigns:
      - {id: "1", name: null, extra: {budget: 12345678901234567890}}
    delay: 0s
`);
});

test("what the browser does not let the page copy is not said to be copied", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=demo"});
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
    document.execCommand = () => false;
  });
  await page.locator("#copy-token").click();
  await reads(page.locator("#notice"), /^Nothing was copied: the browser does not let this page copy\.$/);
});
