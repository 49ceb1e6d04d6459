// A token gets a copy of a user, and is put back.
import assert from "node:assert/strict";
import {becomes, counts, launch, reads, rows, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

const login = ["e30", "c29tZWJvZHkg".repeat(70), "c2lnbmF0dXJl"].join("."); // as a JWT

// choose gives the token that is shown a copy of a user.
async function choose(page, user) {
  await page.getByLabel("Behave like").selectOption(user);
  await page.getByRole("button", {name: "Apply"}).click();
}

// answers waits until the answers to a token have a status.
function answers(server, token, status) {
  return becomes(() => server.ask(token), (answer) => assert.equal(answer.status, status));
}

// A token, and the status of its answers before it gets a copy of server-error.
const tokens = {
  "of a login": {token: login, before: 200},
  "refused at the start": {token: "somebody", before: 401, args: ["--unknown-tokens", "reject"]},
  "a run": {token: "expired~1", before: 401},
};

for (const [name, {token, before, args = []}] of Object.entries(tokens)) {
  test(`a token that is ${name} behaves like a user until it is put back`, async (t) => {
    const server = await serve(t, ...args);
    await server.ask(token);
    // The page may ask for the replies of the user at the moment in which the user is taken away.
    const page = await visit(t, browser, server, {foreseen: [/404 .*\/replies\?token=/]});
    await rows(page).first().click();
    await page.getByRole("link", {name: /^User /}).click();

    await choose(page, "server-error");
    await reads(page.locator("#notice"), /^It behaves like server-error\.$/);
    await reads(page.locator("#summary"), /^like server-error: /);
    await answers(server, token, 500);

    await page.getByRole("button", {name: "As before"}).click();
    await reads(page.locator("#notice"), /^It behaves as before\.$/);
    await page.getByRole("button", {name: "As before"}).waitFor({state: "hidden"});
    await answers(server, token, before);
    await counts(rows(page), 3, "no request is forgotten");
  });
}

test("a user of the fixtures comes back when its token is reset, as is said before", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=demo"});
  const hint = page.locator("#like-hint");
  await reads(hint, /^Until demo is reset, it then behaves like the user that you choose\.$/);
  await choose(page, "server-error");
  await reads(hint, /^Its own user comes back when demo is reset, which clears its requests, too\.$/);
  await answers(server, "demo~1", 500);
  await page.getByRole("button", {name: "Back to its own user"}).click();
  await reads(hint, /^Until demo is reset/);
  await answers(server, "demo", 200);
});

test("what is chosen and not yet applied stays when a user comes, and not for another token", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=x"});
  const list = page.getByLabel("Behave like");
  await list.selectOption("server-error");
  await server.plane("PUT", "users?token=somebody", {campaigns: []});
  await becomes(() => list.getByRole("option", {name: "somebody"}).count(), (count) => assert.equal(count, 1));
  assert.equal(await list.inputValue(), "server-error");
  await page.getByRole("link", {name: /^demo/}).first().click();
  await becomes(() => list.inputValue(), (value) => assert.equal(value, ""));
});

test("what nothing would bring back is not offered, and a copy is none that is copied", async (t) => {
  const server = await serve(t);
  await server.plane("PUT", "users?token=alice", {campaigns: []});
  await server.plane("PUT", "users?token=bob&like=demo");
  const page = await visit(t, browser, server, {path: "?token=alice"});
  const list = page.getByLabel("Behave like");
  await reads(page.locator("#like-hint"), /^alice cannot get another user here: /);
  await list.waitFor({state: "hidden"});

  await page.getByRole("link", {name: /^bob/}).click();
  await becomes(() => list.inputValue(), (value) => assert.equal(value, "demo"));
  const offered = await list.getByRole("option").allTextContents();
  assert.ok(offered.includes("alice"), "a user that was put can be copied");
  assert.ok(!offered.includes("bob"), "a copy is not offered");
});
