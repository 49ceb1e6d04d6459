// Fixtures are edited while the page is open.
import assert from "node:assert/strict";
import {rmSync, writeFileSync} from "node:fs";
import {counts, launch, reads, rows, test, visit} from "./browser.mjs";
import {file} from "./file.mjs";
import {serve} from "./server.mjs";

const browser = await launch();
const good = "users:\n  alice:\n    description: The first\n    generate: {count: 3}\n";

test("a mistake shows by itself, with its place and remedy, while the last good ones are served", async (t) => {
  const name = file(t, good), server = await serve(t, name);
  for (let i = 0; i < 40; i++) await server.ask("alice");
  const page = await visit(t, browser, server, {path: "?token=alice", viewport: {width: 900, height: 500}});
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  writeFileSync(name, "users:\n  alice:\n    dellay: 2s\n    delay: soon\n  <img src=x>: {}\n");
  const alert = page.getByRole("alert").filter({hasText: "The fixtures could not be reloaded. The last good ones are served."});
  const mistakes = alert.getByRole("listitem");
  await counts(mistakes, 3);
  await reads(mistakes.first(), /fixtures\.yaml:3:5\s+users\.alice\.dellay.*; .*delay/s);
  await reads(mistakes.first().locator("pre"), /^ {4}dellay: 2s\n {4}\^$/);
  const top = await mistakes.first().evaluate((it) => [scrollY > 0, it.getBoundingClientRect().top]);
  assert.ok(top[0] && top[1] > 0 && top[1] < 200, `wherever the page is scrolled to, it is seen; it is at ${top}`);
  await reads(mistakes.last(), /<img src=x>/);
  assert.equal((await server.ask("alice")).status, 200);
  const other = await visit(t, browser, server); // whoever opens the page now is told as well
  await other.getByText(name + ":3:5").waitFor();
  rmSync(name);
  await alert.getByText(/no such file|does not exist/).first().waitFor();

  writeFileSync(name, good.replace("first", "second").replace("3", "1") + "  bob: {}\nservice: {statuses: [live]}\n");
  await alert.waitFor({state: "detached"});
  await page.getByText("A normal answer: 1 generated campaign.").waitFor();
  await page.getByRole("link", {name: /^alice.*The second/}).waitFor();
  await page.getByRole("link", {name: /^bob/}).waitFor();
  await page.getByRole("button", {name: "Send a request"}).click();
  await page.locator("#r42 > a").click();
  await reads(page.getByLabel("The body"), /"live"/);
  await counts(rows(page), 42);
});

for (const width of [1280, 420]) {
  test(`all settings are listed with their basis and place, and seen whole, ${width} px wide`, async (t) => {
    const name = file(t, "service: {statuses: [live]}\nusers: {demo: {}}\n");
    const server = await serve(t, name, "--seed", "7");
    const page = await visit(t, browser, server, {viewport: {width, height: 900}});
    await page.getByText("What is assumed of the service").click();
    const {settings} = await server.plane("GET", "service"), lines = page.getByRole("table", {name: "Settings"}).locator("tr");
    assert.ok(settings.length > 20);
    await counts(lines, settings.length + 1);
    const shown = await lines.evaluateAll((all) => all.slice(1).map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.deepEqual(shown.map(([setting, , how]) => [setting, how]), settings.map(({name, basis, where = ""}) => [name, basis + where]));
    await reads(page.getByRole("row", {name: /^statuses/}), /\["live"\]\s+configured\s+.*fixtures\.yaml:1:\d+/s);
    await reads(page.getByRole("row", {name: /^seed/}), /7\s+configured\s+--seed/);
    const frame = await page.locator("#service").boundingBox();
    for (const {text, left, right, spills} of await lines.locator("td").evaluateAll((all) => all.map((cell) => {
      const {left, right} = cell.getBoundingClientRect();
      return {text: cell.textContent, left, right, spills: cell.scrollWidth > cell.clientWidth};
    }))) assert.ok(!spills && left >= frame.x && right <= frame.x + frame.width, `${text} is seen whole`);
  });
}
