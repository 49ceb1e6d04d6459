// A user is chosen, and told what to answer next; and the fixtures are edited meanwhile.
import assert from "node:assert/strict";
import {mkdtempSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {becomes, counts, launch, reads, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

// waiting is the list of what waits to be played.
function waiting(page) {
  return page.locator("#waiting").getByRole("listitem");
}

// statuses are the answers that a user gets to so many requests.
async function statuses(server, token, count) {
  const list = [];
  for (let i = 0; i < count; i++) {
    const answer = await server.ask(token).catch(() => null);
    list.push(answer ? answer.status : "broken");
  }
  return list;
}

// isBroken says whether nothing comes of what is waited for.
function isBroken(promise) {
  return promise.then(() => false, () => true);
}

// What a request gets after a click on each of the quick buttons.
const quickButtons = {
  "503 once": async (ask) => (await ask()).status === 503,
  "401 once": async (ask) => {
    const challenge = (await ask()).headers.get("WWW-Authenticate");
    return challenge.includes("invalid_token");
  },
  "429, wait 2 s": async (ask) => (await ask()).headers.get("Retry-After") === "2",
  "2 s late": async (ask) => (await ask()).ok,
  "no campaigns": async (ask) => (await (await ask()).text()) === '{"campaigns":[]}',
  "cut off": async (ask) => isBroken((await ask()).text()),
  "connection reset": (ask) => isBroken(ask()),
  "hold": async (ask, page) => {
    const answer = ask();
    await page.locator("#requests > li > .release").click();
    return (await answer).ok;
  },
};

test("each quick button sets the next answer", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=demo"});
  const next = page.getByRole("group", {name: "Next answer"});
  for (const [name, isAsSaid] of Object.entries(quickButtons)) {
    await next.getByRole("button", {name, exact: true}).click();
    await page.getByRole("status").getByText(`The next answer: ${name}.`).waitFor();
    await counts(waiting(page), 1);
    assert.ok(await isAsSaid(() => server.ask("demo"), page), name);
    await counts(waiting(page), 0);
  }
});

test("what is played always holds until it is back to normal, as for a client that retries", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=demo"});
  const next = page.getByRole("group", {name: "Next answer"});
  for (const [name, want] of Object.entries({
    "503 always": [503, 503, 503, 503],
    "401 always": [401, 401, 401, 401], // in place of the answer before, without a click between
  })) {
    await next.getByRole("button", {name, exact: true}).click();
    await page.getByRole("status").getByText(`The next answer: ${name}.`).waitFor();
    await reads(waiting(page), /always/);
    await counts(waiting(page), 1);
    assert.deepEqual(await statuses(server, "demo", want.length), want, name);
  }
  await next.getByRole("button", {name: "503 once", exact: true}).click();
  await counts(waiting(page), 2, "once comes before always");
  assert.deepEqual(await statuses(server, "demo", 2), [503, 401]);
  await page.getByRole("button", {name: "Back to normal"}).click();
  await counts(waiting(page), 0);
  await counts(next.getByRole("button", {name: "hold, always"}), 0, "one hold holds all");
});

test("each quick answer but hold has beside it the same that is played always", async (t) => {
  const page = await visit(t, browser, await serve(t), {path: "?token=demo"});
  const sent = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(JSON.parse(request.postData()));
  });
  const buttons = page.locator(".quick button");
  for (const button of await buttons.all()) await button.click();
  const number = await buttons.count();
  await becomes(() => sent.length, (length) => assert.equal(length, number));
  const once = sent.filter(({times, delay}) => !times && delay !== "until released");
  const always = sent.filter(({times}) => times === "always");
  assert.equal(once.length, (number - 1) / 2, "all but hold");
  assert.deepEqual(always, once.map((reply) => ({...reply, times: "always"})));
});

test("the form plays what is typed, once or always, until it is back to normal", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=demo", foreseen: [/status of 400/]});
  const form = page.getByRole("group", {name: "Next answer"});
  const play = page.getByRole("button", {name: "Play next"});

  await page.getByLabel("Status").fill("99");
  await play.click();
  await reads(form.getByRole("alert"), /status: .*99.*;/);

  await page.getByText("Body and headers").click();
  await page.getByLabel("Headers").fill("Retry-After: 2\nnocolon");
  await play.click();
  await reads(form.getByRole("alert"), /^headers: "nocolon" has no colon; write Name: value$/);
  await page.getByLabel("Headers").fill("");

  await page.getByLabel("Delay").fill("until released");
  await page.getByLabel("For").selectOption("2 times");
  await play.click();
  await reads(form.getByRole("alert"), /choose once or always under For\.$/);
  await page.getByLabel("Delay").fill("");

  await page.getByLabel("Status").fill("503");
  await page.getByLabel("For").selectOption("2 times");
  await page.getByLabel("Body", {exact: true}).fill("down");
  await page.getByLabel("Headers").fill("X-Time: 10:30\nX-Separator: one\u2028line");
  await play.click();
  await reads(waiting(page), /503.*2 times/);
  const answer = await server.ask("demo");
  assert.equal(answer.status, 503);
  assert.equal(await answer.text(), "down");
  assert.equal(answer.headers.get("X-Time"), "10:30");
  assert.match(answer.headers.get("X-Separator"), /^one.*line$/s);

  await page.getByLabel("Fault").selectOption("reset");
  await play.click();
  await counts(waiting(page), 2);
  assert.deepEqual(await statuses(server, "demo", 3), [503, "broken", 200]);

  await page.getByLabel("For").selectOption("always");
  await page.getByLabel("Status").fill("418");
  await page.keyboard.press("Enter"); // in the field, as those do who have just typed
  await reads(waiting(page), /418.*always/);
  assert.deepEqual(await statuses(server, "demo", 2), [418, 418]);

  await page.getByRole("button", {name: "Back to normal"}).click();
  await counts(waiting(page), 0);
  assert.deepEqual(await statuses(server, "demo", 1), [200]);
});

test("a mistake in the fixtures shows by itself, and goes when it is mended", async (t) => {
  const name = join(mkdtempSync(join(tmpdir(), "page-")), "fixtures.yaml");
  const good = "users: {alice: {}}\n";
  writeFileSync(name, good);
  const page = await visit(t, browser, await serve(t, name));
  writeFileSync(name, "users: {alice: {dellay: 2s}, <img src=x>: {}}\n");
  const alert = page.getByRole("alert").filter({
    hasText: "The fixtures could not be reloaded. The last good ones are served.",
  });
  const mistakes = alert.getByRole("listitem");
  await reads(mistakes.first(), /fixtures\.yaml:1:17\s+users\.alice\.dellay.*; .*delay/s);
  await reads(mistakes.last(), /<img src=x>/);
  writeFileSync(name, good);
  await alert.waitFor({state: "detached"});
});
