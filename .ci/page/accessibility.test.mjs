// The page by the rules of axe, and on a phone.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {launch, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// obeys fails unless the page as it stands violates no rule, and is as wide as its window.
async function obeys(page, what) {
  await page.evaluate(axe);
  const {violations} = await page.evaluate(() => {
    return axe.run(document, {resultTypes: ["violations"]});
  });
  assert.deepEqual(violations.map(violationLine), [], what);
  const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(isTooWide, false, "nothing is to be scrolled sideways");
}

function violationLine({id, help, nodes}) {
  const elements = nodes.map((node) => node.html.slice(0, 200));
  return `${id}: ${help}: ${elements.join(", ")}`;
}

// trouble starts a server that has seen answers of every kind, and shows something of
// everything.
async function trouble(t, options) {
  const server = await serve(t);
  for (const token of ["demo", "server-error", "a-token-that-is-long".repeat(5)]) {
    await server.ask(token);
  }
  await server.ask("reset").catch(() => {});
  await fetch(server.origin + "/user/" + "campaigns".repeat(20));
  await server.plane("POST", "replies?token=demo", [{delay: "until released"}]);
  const given = new AbortController();
  server.leave.push(() => given.abort());
  server.ask("demo", {}, given.signal).catch(() => {});
  await server.plane("GET", "requests?await=6");

  const page = await visit(t, browser, server, {path: "?token=demo&show=all", ...options});
  await page.getByRole("button", {name: "503 once"}).click();
  await page.getByRole("heading", {name: "Waiting to be played"}).waitFor();
  await page.getByRole("link", {name: /^404/}).click();
  await page.getByRole("heading", {name: "Matched nothing"}).waitFor();
  await page.getByText("Body and headers", {exact: true}).click();
  await page.getByText("What is assumed of the service", {exact: true}).click();
  await page.getByRole("table", {name: "Settings"}).waitFor();
  return page;
}

for (const [colorScheme, width] of [["light", 1280], ["dark", 360]]) {
  test(`no rule of axe is violated, ${colorScheme} and ${width} px wide`, async (t) => {
    const options = {colorScheme, viewport: {width, height: 800}};
    await obeys(await visit(t, browser, await serve(t), options), "the start");
    await obeys(await trouble(t, options), "all");
  });
}
