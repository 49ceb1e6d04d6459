// What somebody who builds a screen needs of the page, each in a test of its own.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {counts, has, holds, launch, reads, rows, test, visit} from "./browser.mjs";
import {app, origin} from "./origin.mjs";
import {serve} from "./server.mjs";

const browser = await launch();
const body = (page) => page.getByLabel("The body");

// file is a file of fixtures, which is there until the test ends.
function file(t, text) {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  t.after(() => rmSync(folder, {recursive: true}));
  const name = join(folder, "fixtures.yaml");
  writeFileSync(name, text);
  return name;
}

// list has an app in a browser ask for the campaigns.
const list = (page, server) => page.evaluate((url) => fetch(url, {headers: {Authorization: "Bearer demo"}}).then((answer) => answer.status, () => "blocked"), server.base + "/user/campaigns");

test("a body is shown whole and in lines, and what a fault cut off is crossed out", async (t) => {
  const server = await serve(t);
  const sent = await (await server.ask("many")).text();
  await server.plane("POST", "replies?token=demo", [{fault: "truncate"}]);
  const part = await fetch(server.base + "/user/campaigns", {headers: {Authorization: "Bearer demo"}}).then(async (answer) => {
    let text = "";
    try {
      for await (const bytes of answer.body) text += new TextDecoder().decode(bytes);
    } catch {}
    return text;
  });
  const page = await visit(t, browser, server);
  await rows(page).nth(1).click();
  await page.getByText(`${Buffer.byteLength(sent)} bytes were sent.`).waitFor();
  const text = await body(page).textContent();
  assert.deepEqual(JSON.parse(text), JSON.parse(sent));
  assert.match(text, /^{\n {2}"campaigns": \[\n {4}{\n {6}"id": "/);
  await counts(body(page).locator("del"), 0);

  await rows(page).first().click();
  await page.getByText("The rest is crossed out.").waitFor();
  const cut = page.locator("#r2 pre");
  const rest = await cut.locator("del").textContent(), all = await cut.textContent();
  JSON.parse(all);
  await holds(page, () => {
    const box = document.querySelector("#r2 pre"), {top} = box.querySelector("del").getBoundingClientRect(), {y, bottom} = box.getBoundingClientRect();
    return top > y && top < bottom;
  });
  const squeezed = (text) => text.replaceAll(/\s/g, "");
  assert.ok(rest.length > 0 && part.length > 0);
  assert.equal(squeezed(all.slice(0, all.length - rest.length)), squeezed(part));
  await page.getByText(`${Buffer.byteLength(part)} of ${Buffer.byteLength(JSON.stringify(JSON.parse(all)))} bytes were sent.`).waitFor();
});

test("a body that the journal no longer keeps is said not to be kept, and a large one is shown in two steps", async (t) => {
  const server = await serve(t);
  await server.plane("PUT", "users?token=larger", {generate: {count: 40_000}});
  await (await server.ask("huge")).text();
  await (await server.ask("many")).text();
  const page = await visit(t, browser, server, {path: "?request=1"});
  await page.getByRole("button", {name: /^Show all \d+ bytes$/}).click();
  await holds(page, () => document.querySelector("#r1 pre").textContent.match(/"id": /g).length === 10_000);
  await rows(page).last().click();
  await (await server.ask("larger")).text();
  await (await server.ask("larger")).text();
  await rows(page).nth(2).waitFor();
  await rows(page).last().click();
  await page.getByText("The journal no longer keeps the whole body. This is its start.").waitFor();
  await reads(body(page), /^{\s+"campaigns": \[/);
});

test("a body that is nested very deeply is shown as it is", async (t) => {
  const server = await serve(t);
  const deep = "[".repeat(100_000);
  await server.plane("POST", "replies?token=demo", {body: deep});
  await (await server.ask("demo")).text();
  const page = await visit(t, browser, server, {path: "?request=1"});
  await reads(body(page), /^\[{100000}$/);
});

test("a preflight is shown with its request, and may be used for ten minutes", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server);
  const other = await app(t, browser);
  assert.equal(await list(other, server), 200);
  const row = page.getByRole("link", {name: /^200 GET \S+ \+ preflight demo/});
  await row.waitFor();
  await page.locator("#r1").waitFor({state: "hidden"});
  await page.getByRole("searchbox", {name: "Search the requests"}).fill("campaigns");
  await page.getByText("1 found").waitFor(); // as there are rows
  await row.click();
  await page.getByText("Its preflight: 204").click();
  await reads(page.locator("#r2 details"), /Access-Control-Max-Age\s+600/);
  assert.equal(await list(other, server), 200); // without asking again
  await page.getByRole("link", {name: /^200 GET \S+ demo/}).waitFor();
  assert.equal((await server.plane("GET", "requests")).requests.length, 3);
  await page.getByText("2 found").waitFor();
  await page.getByRole("navigation").getByRole("link", {name: /^demo/}).click();
  await counts(page.getByText("+ preflight"), 1, "in the view of the user as well");
});

test("what CORS lacks is said of the request, with the flag and the YAML, and stays with it", async (t) => {
  const server = await serve(t, "--cors", "off");
  const page = await visit(t, browser, server);
  const where = await origin(t);
  assert.equal(await list(await app(t, browser, where), server), "blocked");
  const row = page.getByRole("link", {name: /CORS: the preflight was refused/});
  await row.click();
  await page.getByText(`Start the server with --cors ${where}, or write it in the fixtures.`).waitFor();
  const yaml = await page.locator(".fix code").innerText();
  const mended = await serve(t, file(t, yaml + "\nusers: {demo: {}}\n"));
  assert.equal(await list(await app(t, browser, where), mended), 200);
});

test("a mistake in fixtures is seen wherever the page is scrolled to, with its caret", async (t) => {
  const name = file(t, "users:\n  demo: {}\n");
  const server = await serve(t, name);
  for (let i = 0; i < 40; i++) await server.ask("demo");
  const page = await visit(t, browser, server, {viewport: {width: 900, height: 500}});
  await rows(page).nth(39).waitFor();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  writeFileSync(name, "users:\n  demo:\n    dellay: 2s\n");
  await server.plane("POST", "reload");
  const line = page.locator("#failure pre");
  await reads(line, /^ {4}dellay: 2s\n {4}\^$/);
  const top = await line.evaluate((it) => [scrollY > 0, it.getBoundingClientRect().top]);
  assert.ok(top[0] && top[1] > 0 && top[1] < 200, `the line is at ${top}`);
});

test("the requests are those of the chosen user, until all are asked for", async (t) => {
  const server = await serve(t);
  await server.ask("demo");
  await server.ask("single");
  const page = await visit(t, browser, server);
  await counts(rows(page), 2);
  await page.getByRole("navigation").getByRole("link", {name: /^single/}).click();
  await counts(rows(page), 1);
  await reads(rows(page).first(), /single/);
  await server.ask("demo");
  await server.ask("single");
  await counts(rows(page), 2);
  await page.getByRole("link", {name: "all", exact: true}).click();
  await counts(rows(page), 4);
  await page.getByRole("heading", {name: "single"}).waitFor();
  await page.getByRole("link", {name: "of single"}).click();
  await counts(rows(page), 2);
  await page.getByRole("navigation").getByRole("link", {name: /^empty/}).click();
  await page.getByText("Nothing of empty has arrived yet.").waitFor();
});

test("what is played always is called so", async (t) => {
  const server = await serve(t, file(t, "users:\n  down: {replies: [{status: 500, times: always}]}\n  later: {replies: [{status: 503}, {status: 500, times: always}]}\n"));
  const page = await visit(t, browser, server, {path: "?token=down"});
  await page.getByRole("heading", {name: "Played always", exact: true}).waitFor();
  await counts(page.getByRole("heading", {name: "Waiting to be played"}), 0);
  await page.getByText("A normal answer: 0 campaigns, not sent while a reply is played always").waitFor();
  await server.ask("down");
  await reads(rows(page).first(), /\(always\)/);
  await page.getByRole("link", {name: /^later/}).click();
  await page.getByRole("heading", {name: "Waiting to be played"}).waitFor();
  await page.getByRole("heading", {name: "Then played always"}).waitFor();
  await page.getByRole("button", {name: "503 once"}).click();
  await page.getByLabel("For").selectOption("always");
  await page.getByRole("button", {name: "Play next"}).click();
  await page.getByRole("heading", {name: "Not played, because of the one before"}).waitFor();
});

test("replies that start over are said to", async (t) => {
  const server = await serve(t, file(t, "users: {loop: {replies: [{status: 500}, {status: 503}], repeat: true}, once: {replies: [{status: 500}]}}\n"));
  const page = await visit(t, browser, server, {path: "?token=loop"});
  const over = page.getByText("Then the user’s own from the start.");
  await over.waitFor();
  await page.getByRole("link", {name: /^once/}).click();
  await page.getByRole("heading", {name: "Waiting to be played"}).waitFor();
  await over.waitFor({state: "detached"});
});

test("times are local, and UTC on demand", async (t) => {
  const server = await serve(t);
  await server.ask("demo");
  const page = await visit(t, browser, server, {timezoneId: "Asia/Kolkata"});
  const {requests: [{at}]} = await server.plane("GET", "requests");
  const utc = new Date(at).toISOString(), time = rows(page).getByRole("time");
  await has(time, "title", utc.replace("T", " ").replace("Z", " UTC"));
  await reads(time, new RegExp("^" + new Date(at).toLocaleTimeString("en-GB", {timeZone: "Asia/Kolkata"})));
});

test("a server that is gone is said to be, until it is back", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {foreseen: [/ERR_/]});
  const lost = page.getByRole("alert").filter({hasText: "The server does not answer."});
  await counts(lost, 0);
  await server.stop();
  await lost.waitFor();
  assert.equal(await lost.evaluate((it) => it.getBoundingClientRect().width > innerWidth / 2), true, "it is not a small word");
  await serve(t, "--listen", server.host);
  await lost.waitFor({state: "detached"});
});

test("keys go through the requests, filter and close, and leave who types alone", async (t) => {
  const server = await serve(t);
  for (const token of ["demo", "single", "many"]) await server.ask(token);
  const page = await visit(t, browser, server);
  await rows(page).nth(2).waitFor();
  const at = () => page.evaluate(() => document.activeElement.closest("#requests > li")?.id ?? document.activeElement.id);
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    return at();
  };
  assert.deepEqual([await press("j"), await press("j"), await press("j", "j"), await press("k")], ["r3", "r2", "r1", "r2"]);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", {name: "Why"}).waitFor();
  assert.equal(await press("/"), "filter");
  await page.keyboard.type("j/k");
  const filter = page.getByRole("searchbox", {name: "Filter the users"});
  assert.equal(await filter.inputValue(), "j/k");
  assert.equal(await press("Escape", "Escape"), "", "the filter is emptied, and left");
  assert.equal(await filter.inputValue(), "");
  assert.equal(await press("Escape"), "r2");
  await counts(page.locator(".detail"), 0);
  await page.getByRole("navigation").getByRole("link", {name: /^demo/}).click();
  await page.getByText("A normal answer: 8 campaigns").click();
  await page.getByRole("group", {name: "Campaigns"}).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("group", {name: "Campaigns"}).waitFor({state: "hidden"});
  await page.getByRole("heading", {name: "demo", exact: true}).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("heading", {name: "demo", exact: true}).waitFor({state: "hidden"});
  await page.getByRole("contentinfo").getByText("keys: / filters the users, s searches the requests, j and k go through the requests, Enter opens, Esc closes").waitFor();
});

test("Clear and Reset can be called back for five seconds, and are not sent by a page that is left", async (t) => {
  const server = await serve(t);
  await server.ask("demo");
  const page = await visit(t, browser, server, {foreseen: [/ERR_ABORTED/]});
  await rows(page).first().waitFor();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const clear = page.getByRole("button", {name: "Clear", exact: true}), reset = page.getByRole("button", {name: "Reset all"});
  const bar = page.getByRole("status").getByText("All requests until then are cleared in five seconds.");
  const sent = () => page.asked.length;
  const held = async () => assert.equal((await server.plane("GET", "requests")).requests.length, 1);

  await clear.click();
  await bar.waitFor();
  await has(clear, "aria-disabled", "true");
  await page.clock.runFor(4900);
  await held();
  await page.getByRole("button", {name: "Undo"}).click();
  await bar.waitFor({state: "detached"});
  await has(clear, "aria-disabled", "false");
  const before = sent();
  await page.clock.runFor(10_000);
  assert.equal(sent(), before, "nothing was sent");
  await held();

  await reset.click();
  await page.getByText("Everything is put back to how it was at the start in five seconds.").waitFor();
  await page.clock.runFor(4900);
  await held();
  await page.clock.runFor(200);
  await page.getByText("Everything is as it was at the start.").waitFor();
  assert.equal((await server.plane("GET", "requests")).requests.length, 0);

  await server.ask("demo");
  await clear.click();
  await bar.waitFor();
  await page.goto("about:blank");
  await page.goBack();
  await page.clock.runFor(10_000);
  await held();
  await page.getByRole("button", {name: "Clear", exact: true}).click();
  await page.getByRole("button", {name: "Now"}).click();
  await page.getByText("The journal is empty.").waitFor();
  assert.equal((await server.plane("GET", "requests")).requests.length, 0);
});

test("a Reset that waits goes before what is done after it", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=demo"});
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole("button", {name: "Reset the token"}).click();
  await page.getByText("in five seconds.").waitFor();
  await page.getByRole("button", {name: "503 once"}).click();
  await page.getByText("The next answer: 503 once.").waitFor();
  await page.clock.runFor(10_000);
  const {replies} = await server.plane("GET", "replies?token=demo");
  assert.deepEqual(replies.map(({reply}) => reply.status), [503]);
});

test("the ledger has every setting, with its basis and place", async (t) => {
  const name = file(t, "service: {statuses: [live]}\nusers: {demo: {}}\n");
  const server = await serve(t, name, "--seed", "7");
  const page = await visit(t, browser, server);
  await page.getByText("What is assumed of the service").click();
  const table = page.getByRole("table", {name: "Settings"}).getByRole("row");
  const {settings} = await server.plane("GET", "service");
  assert.ok(settings.length > 20);
  await counts(table, settings.length + 1);
  const shown = await table.evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.deepEqual(shown[0], ["setting", "value", "basis"]);
  for (const [i, {name, basis, where = ""}] of settings.entries()) {
    const [setting, , how] = shown[i + 1];
    assert.deepEqual([setting, how.startsWith(basis)], [name, true]);
    assert.ok(how.includes(where), how);
  }
  await reads(page.getByRole("row", {name: /^statuses/}), /\["live"\]\s+configured\s+.*fixtures\.yaml:1:\d+/s);
  await reads(page.getByRole("row", {name: /^seed/}), /7\s+configured\s+--seed/);
});

for (const width of [1280, 420]) {
  test(`the ledger is seen whole, ${width} px wide`, async (t) => {
    const server = await serve(t, "--seed", "7");
    const page = await visit(t, browser, server, {viewport: {width, height: 900}});
    await page.getByText("What is assumed of the service").click();
    const cells = page.getByRole("table", {name: "Settings"}).getByRole("cell");
    await cells.last().waitFor();
    const frame = await page.locator("#service").boundingBox();
    const boxes = await cells.evaluateAll((all) => all.map((cell) => {
      const {left, right, top, bottom, width} = cell.getBoundingClientRect();
      return {text: cell.textContent, left, right, top: top + scrollY, bottom: bottom + scrollY, width, spills: cell.scrollWidth > cell.clientWidth};
    }));
    const offset = await page.evaluate(() => scrollY);
    for (const {text, left, right, bottom, spills} of boxes) {
      assert.ok(!spills && left >= frame.x && right <= frame.x + frame.width && bottom <= frame.y + offset + frame.height, `${text} is seen whole`);
    }
    const [setting, value, basis] = boxes;
    if (width === 420) assert.ok(value.top >= setting.bottom && basis.top >= value.bottom && value.width > 300, "the cells are stacked");
    else assert.ok(value.top === setting.top && basis.top === setting.top, "the cells are side by side");
  });
}

test("a user is edited as JSON, checked by the server, and copied as YAML", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=demo", foreseen: [/status of 400/], permissions: ["clipboard-read", "clipboard-write"]});
  await server.ask("demo");
  await counts(rows(page), 1);
  await page.getByText("Edit the user").click();
  const beside = page.getByText("It starts the token anew: its requests and replies are dropped.");
  await beside.waitFor();
  await has(page.getByRole("button", {name: "Save"}), "aria-describedby", await beside.getAttribute("id"), "it is read with the button");
  const field = page.getByLabel("The user as JSON"), save = page.getByRole("button", {name: "Save"});
  await holds(page, () => document.querySelector("#edit textarea").value !== "");
  const user = JSON.parse(await field.inputValue());
  assert.deepEqual(user, (await server.plane("GET", "users?token=demo")).user);
  await field.fill('{\n  "campaigns": [],\n  "dellay": "2s"\n}');
  await save.click();
  const mistake = page.locator("#mistakes li");
  await reads(mistake, /body:3:3\s+users\.demo\.dellay\s+is not a known key; did you mean delay\?\s+"dellay": "2s"\n {2}\^/);
  await field.fill('{"campaigns": [');
  await save.click();
  await reads(mistake, /body:1:\d+/);
  user.campaigns = [{...user.campaigns[0], name: "Mine: 1"}];
  await field.fill(JSON.stringify(user));
  await save.click();
  await page.getByText("The user is saved, until its token or everything is reset.").waitFor();
  await counts(mistake, 0);
  await counts(rows(page), 0);
  assert.deepEqual((await (await server.ask("demo")).json()).campaigns.map(({name}) => name), ["Mine: 1"]);
  await page.getByRole("button", {name: "Copy YAML"}).click();
  await page.getByText("Copied.").waitFor();
  const name = file(t, await page.evaluate(() => navigator.clipboard.readText()));
  execFileSync(process.env.CAMPAIGNFAKE, ["check", name]);
  const copy = await serve(t, name);
  assert.equal(await (await copy.ask("demo")).text(), await (await server.ask("demo")).text());
});
