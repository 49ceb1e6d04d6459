// The page by the rules of axe, without a mouse, and on a phone.
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
  const {violations} = await page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
  assert.deepEqual(violations.map(({id, help, nodes}) => `${id}: ${help}: ${nodes.map((node) => node.html.slice(0, 200)).join(", ")}`), [], what);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, "nothing is to be scrolled sideways");
}

// trouble starts a server that has seen answers of every kind, and shows something of everything.
async function trouble(t, options) {
  const server = await serve(t);
  for (const token of ["demo", "server-error", "a-token-that-is-long".repeat(5)]) await server.ask(token);
  await server.ask("reset").catch(() => {});
  await fetch(server.origin + "/user/" + "campaigns".repeat(20));
  await server.plane("POST", "replies?token=demo", [{delay: "until released"}]);
  const given = new AbortController();
  server.leave.push(() => given.abort());
  fetch(server.base + "/user/campaigns", {headers: {Authorization: "Bearer demo"}, signal: given.signal}).catch(() => {});
  await server.plane("GET", "requests?await=6");
  const page = await visit(t, browser, server, {path: "?token=demo&show=all", ...options});
  await page.getByRole("button", {name: "503 once"}).click();
  await page.getByRole("heading", {name: "Waiting to be played"}).waitFor();
  await page.getByRole("link", {name: /^404/}).click();
  await page.getByRole("heading", {name: "Matched nothing"}).waitFor();
  for (const summary of ["Body and headers", "What is assumed of the service"]) await page.getByText(summary, {exact: true}).click();
  await page.getByRole("table", {name: "Settings"}).waitFor();
  return page;
}

for (const [colorScheme, width] of [["light", 1280], ["dark", 1280], ["light", 360]]) {
  test(`no rule of axe is violated, ${colorScheme} and ${width} px wide`, async (t) => {
    const options = {colorScheme, viewport: {width, height: 800}};
    await obeys(await visit(t, browser, await serve(t), options), "the start");
    await obeys(await trouble(t, options), "all");
  });
}

test("everything is reached with the keyboard, in the order of the page, and seen when it is", async (t) => {
  const page = await trouble(t);
  const expected = await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    return [...document.querySelectorAll("a,button,input,select,textarea,summary,[tabindex='0']")].filter((it) => it.checkVisibility()).length;
  });
  const stops = [];
  for (let i = 0; i < expected; i++) {
    await page.keyboard.press("Tab");
    stops.push(await page.evaluate(() => {
      const it = document.activeElement, style = getComputedStyle(it), box = it.getBoundingClientRect();
      const seen = style.outlineStyle === "solid" && parseFloat(style.outlineWidth) >= 2 && box.bottom > 0 && box.top < innerHeight;
      return {what: it.outerHTML.slice(0, 120), index: [...document.querySelectorAll("*")].indexOf(it), seen};
    }));
  }
  assert.deepEqual(stops.filter((stop) => !stop.seen).map((stop) => stop.what), [], "where the focus is can be seen");
  for (let i = 1; i < stops.length; i++) assert.ok(stops[i].index > stops[i - 1].index, `${stops[i].what} comes before ${stops[i - 1].what}`);
});
