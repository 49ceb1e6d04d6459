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

test("a user that cannot be copied says why", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=demo", foreseen: [/409|503/]});
  const answers = [
    {status: 409, body: '{"detail": "No file can hold the user."}', shown: "No file can hold the user."},
    {status: 503, body: "busy", shown: "The answer is 503."},
  ];
  for (const {status, body, shown} of answers) {
    await page.route("**/users?*format=yaml", (route) => route.fulfill({status, body}), {times: 1});
    await page.getByRole("button", {name: "Copy YAML"}).click();
    await reads(page.locator("#notice"), new RegExp(`^${shown}$`));
  }
});
