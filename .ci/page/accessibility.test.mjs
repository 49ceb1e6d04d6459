// The page by the rules of axe, in both schemes, and on a screen that is narrow.
import assert from "node:assert/strict";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {launch, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";
import {hold, trouble, unfold} from "./trouble.mjs";

const browser = await launch();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// obeys fails unless the page as it stands violates no rule.
async function obeys(page, what) {
  await page.evaluate(axe);
  const {violations} = await page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
  assert.deepEqual(violations.map(({id, help, nodes}) => `${id}: ${help}: ${nodes.map((node) => node.html.slice(0, 200)).join(", ")}`), [], what);
}

for (const [scheme, width] of [["light", 1280], ["dark", 1280], ["light", 360]]) {
  test(`no rule of axe is violated, ${scheme} and ${width} px wide`, async (t) => {
    const start = await serve(t);
    const options = {colorScheme: scheme, viewport: {width, height: 800}, foreseen: [/status of 400/]};
    await obeys(await visit(t, browser, start, options), "the start");

    const server = await trouble(t);
    const page = await visit(t, browser, server, options);
    await obeys(page, "requests");
    await unfold(page);
    await obeys(page, "a request that is opened");
    await page.getByRole("link", {name: /^demo/}).click();
    await page.getByRole("heading", {name: "demo", exact: true}).waitFor();
    await hold(server, "demo");
    await page.getByRole("button", {name: "503 once"}).click();
    await page.getByRole("heading", {name: "Waiting to be played"}).waitFor();
    await page.locator(".held > a").click();
    await page.locator(".detail").getByRole("button", {name: "Release"}).waitFor();
    await page.getByRole("searchbox", {name: "Search the requests"}).fill("get");
    await page.getByText("2 found").waitFor();
    for (const summary of ["Body and headers", "A normal answer: 8 campaigns", "as JSON", "What is assumed of the service"]) await page.getByText(summary, {exact: true}).click();
    await page.getByLabel("Body").fill("{}");
    await obeys(page, "a user");
    await page.getByText("Edit the user").click();
    await page.getByLabel("The user as JSON").fill('{"dellay": 1}');
    await page.getByRole("button", {name: "Save"}).click();
    await page.locator("#mistakes li").waitFor();
    await page.clock.install(); // what is to be sent waits
    await page.getByRole("button", {name: "Reset all"}).click();
    await page.getByRole("button", {name: "Undo"}).waitFor();
    await obeys(page, "a user that is edited, and what can be undone");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, "nothing is to be scrolled sideways");
  });

  test(`no rule of axe is violated by what could not be reloaded, ${scheme} and ${width} px wide`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "page-"));
    t.after(() => rmSync(folder, {recursive: true}));
    const name = join(folder, "fixtures-" + "of-a-long-name-".repeat(8) + ".yaml");
    writeFileSync(name, "users:\n  alice: {}\n");
    const server = await serve(t, name);
    writeFileSync(name, "users:\n  alice:\n    dellay: " + "2s".repeat(200) + "\n");
    await server.plane("POST", "reload");
    const page = await visit(t, browser, server, {colorScheme: scheme, viewport: {width, height: 800}});
    await page.getByRole("heading", {name: "The fixtures could not be reloaded"}).waitFor();
    await obeys(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, "nothing is to be scrolled sideways");
  });
}
