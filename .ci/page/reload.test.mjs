// Fixtures are edited while the page is open.
import assert from "node:assert/strict";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {counts, launch, reads, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

// fixtures is a file of them, which is written by a function.
function fixtures(t) {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  t.after(() => rmSync(folder, {recursive: true}));
  const name = join(folder, "fixtures.yaml");
  const write = (text) => writeFileSync(name, text);
  write(good);
  return {name, write};
}

const good = "users:\n  alice:\n    description: The first\n    generate: {count: 3}\n";
const mended = good + "  bob:\n    description: The second\n";
const broken = "users:\n  alice:\n    generate: {count: 3}\n    dellay: 2s\n";

// tokens are those of the users on the page.
const tokens = (page) => page.getByRole("navigation", {name: "Users"}).locator("b").allInnerTexts();

test("what is wrong is said with its place and its remedy, and the last good ones are served", async (t) => {
  const file = fixtures(t);
  const server = await serve(t, file.name);
  const page = await visit(t, browser, server, {foreseen: [/status of 4\d\d/]});
  const reload = page.getByRole("button", {name: "Reload fixtures"});
  file.write(broken);
  await reload.click();
  const alert = page.getByRole("alert").filter({hasText: "The fixtures could not be reloaded. The last good ones are served."});
  await alert.waitFor();
  const text = await alert.innerText();
  assert.ok(text.includes(file.name + ":4:5"), text);
  assert.match(text, /users\.alice\.dellay/);
  assert.match(text, /; .*delay/);
  assert.match(text, /dellay: 2s/, "the line itself");
  assert.deepEqual(await tokens(page), ["alice"]);
  await page.getByRole("link", {name: /^alice The first/}).waitFor();
  assert.equal((await server.ask("alice")).status, 200);

  file.write(mended);
  await reload.click();
  await page.getByRole("status").getByText("The fixtures were read again.").waitFor();
  await alert.waitFor({state: "detached"});
  await page.getByRole("link", {name: /^bob The second/}).waitFor();
  assert.deepEqual(await tokens(page), ["alice", "bob"]);
});

test("a reload of another client shows by itself, be it good or bad", async (t) => {
  const file = fixtures(t);
  const server = await serve(t, file.name);
  const page = await visit(t, browser, server);
  file.write(broken);
  await server.plane("POST", "reload");
  await page.getByRole("heading", {name: "The fixtures could not be reloaded. The last good ones are served."}).waitFor();
  // Whoever opens the page now is told as well.
  const other = await visit(t, browser, server);
  await other.getByText(file.name + ":4:5").waitFor();
  file.write(mended);
  await server.plane("POST", "reload");
  await page.getByRole("link", {name: /^bob/}).waitFor();
  await counts(page.getByRole("heading", {name: "The fixtures could not be reloaded"}), 0);
});

test("the chosen user follows the fixtures", async (t) => {
  const file = fixtures(t);
  const server = await serve(t, file.name);
  const page = await visit(t, browser, server, {path: "?token=alice"});
  await page.getByText("A normal answer: 3 generated campaigns").waitFor();
  file.write("users:\n  alice:\n    description: Another\n    generate: {count: 1}\nservice: {statuses: [live]}\n");
  await server.plane("POST", "reload");
  await page.getByText("A normal answer: 1 generated campaign", {exact: true}).click();
  await reads(page.getByRole("group", {name: "Campaigns"}), /live/);
  await page.getByText("What is assumed of the service").click();
  await page.getByRole("row", {name: /statuses .*live.* configured/}).waitFor();
});

test("several mistakes, and a file that is gone, are told as well", async (t) => {
  const file = fixtures(t);
  const server = await serve(t, file.name);
  const page = await visit(t, browser, server, {foreseen: [/status of \d\d\d/]});
  file.write("users:\n  alice:\n    delay: soon\n  <img src=x>: {}\n");
  await page.getByRole("button", {name: "Reload fixtures"}).click();
  const mistakes = page.locator("#failure").getByRole("listitem");
  await mistakes.nth(1).waitFor();
  await reads(mistakes.nth(0), /:3:12/);
  await reads(mistakes.nth(1), /<img src=x>/);
  rmSync(file.name);
  await page.getByRole("button", {name: "Reload fixtures"}).click();
  await page.locator("#failure").getByText(/no such file|does not exist/).first().waitFor();
  file.write(good);
});
