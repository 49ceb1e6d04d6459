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
  "alice":
    campaigns:
      - {id: "1", name: null, extra: {"budget": 12345678901234567890}}
    delay: "0s"
`);
});

test("what the browser does not let the page copy is not said to be copied", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=demo"});
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
    document.execCommand = () => false;
  });
  await page.locator("#copy-token").press("Enter");
  await reads(page.locator("#notice"), /^Nothing was copied: the browser does not let this page copy\.$/);
  assert.equal(await page.evaluate(() => document.activeElement.id), "copy-token");
});

test("a user that cannot be copied says why", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=demo", foreseen: [/status of (409|503)/]});
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

test("a request is copied as a command that ends, and whose lack of a body is told", async (t) => {
  const server = await serve(t);
  for (const method of ["HEAD", "POST"]) await fetch(server.base + "/user/campaigns", {method});
  const page = await visit(t, browser, server);
  const url = server.base + "/user/campaigns";
  const want = {1: `curl -I '${url}'`, 2: `curl -X 'POST' '${url}'`};
  const hints = {1: /^Copy as curl$/, 2: /^Copy as curl\s+without the body, which the journal does not have$/};
  for (const number of [1, 2]) {
    await page.locator(`#r${number} > a`).click();
    const copies = page.locator(`#r${number} .detail .copies`).first();
    await reads(copies, hints[number]);
    assert.equal(await copies.getByRole("button").getAttribute("data-copy"), want[number]);
  }
});
