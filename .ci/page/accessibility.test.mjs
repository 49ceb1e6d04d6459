// The page by the rules of axe, without a mouse, and on a phone.
import assert from "node:assert/strict";
import {readFileSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {counts, launch, rows, test, visit} from "./browser.mjs";
import {file} from "./file.mjs";
import {serve} from "./server.mjs";
import {hold, trouble, unfold} from "./trouble.mjs";

const browser = await launch();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// obeys fails unless the page as it stands violates no rule, and is as wide as its window.
async function obeys(page, what) {
  await page.evaluate(axe);
  const {violations} = await page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
  assert.deepEqual(violations.map(({id, help, nodes}) => `${id}: ${help}: ${nodes.map((node) => node.html.slice(0, 200)).join(", ")}`), [], what);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, "nothing is to be scrolled sideways");
}

// all has something of everything on the page.
async function all(page, server) {
  await page.getByRole("link", {name: /^demo/}).click();
  await page.getByRole("heading", {name: "demo", exact: true}).waitFor();
  await page.getByRole("link", {name: "all", exact: true}).click();
  await unfold(page);
  await hold(server, "demo");
  await page.locator("#held").getByRole("button", {name: "Release"}).waitFor();
  await page.getByRole("button", {name: "503 once"}).click();
  await page.getByRole("heading", {name: "Waiting to be played"}).waitFor();
  await page.locator(".held > a").click();
  await page.getByText("There is no answer yet.").waitFor();
  for (const summary of ["Body and headers", "What is assumed of the service"]) await page.getByText(summary, {exact: true}).click();
  await page.getByLabel("Body", {exact: true}).fill("{}");
  await page.getByRole("table", {name: "Settings"}).waitFor();
}

for (const [scheme, width] of [["light", 1280], ["dark", 1280], ["light", 360]]) {
  test(`no rule of axe is violated, ${scheme} and ${width} px wide`, async (t) => {
    const options = {colorScheme: scheme, viewport: {width, height: 800}, foreseen: [/status of 400/]};
    await obeys(await visit(t, browser, await serve(t), options), "the start");
    const server = await trouble(t), page = await visit(t, browser, server, options);
    await all(page, server);
    await page.getByLabel("Status").fill("99");
    await page.getByRole("button", {name: "Play next"}).click();
    await page.locator("#wrong:not(:empty)").waitFor();
    await obeys(page, "all");
    await page.getByRole("searchbox", {name: "Search the requests"}).fill("nothing");
    await page.getByRole("searchbox", {name: "Filter the users"}).fill("nobody");
    await page.getByText("0 found").waitFor();
    await obeys(page, "nothing");

    const name = file(t, "users:\n  alice: {}\n", "fixtures-" + "of-a-long-name-".repeat(8) + ".yaml");
    const reloaded = await visit(t, browser, await serve(t, name), options);
    writeFileSync(name, "users:\n  alice:\n    dellay: " + "2s".repeat(200) + "\n");
    await reloaded.getByRole("heading", {name: "The fixtures could not be reloaded"}).waitFor();
    await obeys(reloaded, "what could not be reloaded");
  });
}

test("everything is reached with the keyboard, in the order of the page, and seen when it is", async (t) => {
  const server = await trouble(t);
  const page = await visit(t, browser, server);
  await all(page, server);
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
      // A row is painted by itself, and clips what is around it.
      const isOutlined = style.outlineStyle === "solid" && parseFloat(style.outlineWidth) >= 2 && (!it.matches("#requests > li > a") || parseFloat(style.outlineOffset) <= -2);
      return {what: it.outerHTML.slice(0, 120), index: [...document.querySelectorAll("*")].indexOf(it), seen: isOutlined && box.width > 0 && box.bottom > 0 && box.top < innerHeight};
    }));
  }
  assert.equal(new Set(stops.map((stop) => stop.index)).size, expected, "each is reached once");
  assert.deepEqual(stops.filter((stop) => !stop.seen).map((stop) => stop.what), [], "where the focus is can be seen");
  for (let i = 1; i < stops.length; i++) assert.ok(stops[i].index > stops[i - 1].index, `${stops[i].what} comes before ${stops[i - 1].what}`);
});

test("the focus survives what the page does by itself and what is done with it", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server);
  const focus = () => page.evaluate(() => document.activeElement.textContent.trim().slice(0, 12));
  await page.getByRole("link", {name: /^single/}).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", {name: "single", exact: true}).waitFor();
  assert.match(await focus(), /^single/);
  await page.getByRole("button", {name: "401 once"}).focus();
  await page.keyboard.press("Space");
  await counts(page.locator("#waiting li"), 1);
  assert.equal(await focus(), "401 once");
  await page.getByLabel("Delay").focus();
  await page.keyboard.type("2");
  await server.ask("single");
  await rows(page).first().waitFor();
  await page.keyboard.type("s");
  assert.equal(await page.getByLabel("Delay").inputValue(), "2s", "who types is not disturbed");
  await page.getByRole("link", {name: "Close the user"}).focus();
  await page.keyboard.press("Enter");
  await counts(page.getByRole("heading", {name: "single", exact: true}), 0);
  assert.match(await focus(), /^single/, "it goes back to where it came from");
});

test("on a phone the page has its parts below each other", async (t) => {
  const server = await trouble(t);
  await fetch(server.base + "/user/" + "campaigns".repeat(20), {headers: {Authorization: "Bearer " + "long".repeat(40), "X-Long": "x".repeat(400)}});
  const page = await visit(t, browser, server, {viewport: {width: 360, height: 740}, isMobile: true, hasTouch: true});
  // What does not fit is clipped in a row, so each element is looked at.
  const wide = () => page.evaluate(() => [...document.querySelectorAll("header *, main *")].filter((it) => {
    const spills = getComputedStyle(it).overflowX === "visible" && it.clientWidth > 1 && it.scrollWidth > it.clientWidth + 1;
    return (spills || it.getBoundingClientRect().right > 361) && it.checkVisibility({contentVisibilityAuto: true}) && !it.parentElement.closest("pre");
  }).map((it) => it.outerHTML.slice(0, 80)));
  assert.deepEqual(await wide(), []);
  await rows(page).first().tap();
  await page.getByRole("heading", {name: "Received"}).waitFor();
  await rows(page).first().tap();
  await all(page, server);
  assert.deepEqual(await wide(), []);
});
