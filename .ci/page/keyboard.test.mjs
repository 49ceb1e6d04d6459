// The page without a mouse, and on a phone.
import assert from "node:assert/strict";
import {holds, launch, rows, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";
import {hold, trouble, unfold} from "./trouble.mjs";

const browser = await launch();

test("everything is reached with the keyboard, in the order of the page, and seen when it is", async (t) => {
  const server = await trouble(t);
  const page = await visit(t, browser, server, {path: "?token=demo&show=all"});
  await hold(server, "demo");
  await page.locator("#held").getByRole("button", {name: "Release"}).waitFor();
  await page.getByRole("button", {name: "503 once"}).click();
  await page.getByRole("heading", {name: "Waiting to be played"}).waitFor();
  await page.getByText("A normal answer: 8 campaigns").click();
  await page.getByText("Body and headers").click();
  await unfold(page);
  await page.locator(".held > a").click();
  await page.locator(".detail").getByRole("button", {name: "Release"}).waitFor();
  const expected = await page.evaluate(() => {
    return [...document.querySelectorAll("a,button,input,select,textarea,summary,[tabindex='0']")].filter((it) => it.checkVisibility()).length;
  });
  const stops = [];
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
  });
  for (let i = 0; i < expected; i++) {
    await page.keyboard.press("Tab");
    stops.push(await page.evaluate(() => {
      const it = document.activeElement, style = getComputedStyle(it), box = it.getBoundingClientRect();
      return {
        what: it.outerHTML.slice(0, 120), index: [...document.querySelectorAll("*")].indexOf(it),
        // A row is painted by itself, and clips what is around it.
        seen: (!it.matches("#requests > li > a") || parseFloat(style.outlineOffset) <= -2) && style.outlineStyle === "solid" && parseFloat(style.outlineWidth) >= 2 && box.width > 0 && box.bottom > 0 && box.top < innerHeight,
      };
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
  await page.getByRole("heading", {name: "single"}).waitFor();
  assert.match(await focus(), /^single/);
  await page.getByRole("button", {name: "401 once"}).focus();
  await page.keyboard.press("Space");
  await holds(page, () => document.querySelectorAll("#waiting li").length === 1);
  assert.equal(await focus(), "401 once");
  await page.getByLabel("Delay").focus();
  await page.keyboard.type("2");
  await server.ask("single");
  await rows(page).first().waitFor();
  await page.keyboard.type("s");
  assert.equal(await page.getByLabel("Delay").inputValue(), "2s", "who types is not disturbed");
  await page.getByRole("button", {name: "Back to normal"}).waitFor({state: "detached"});
  await page.getByRole("button", {name: "503 once"}).click();
  await page.getByRole("button", {name: "Back to normal"}).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", {name: "Back to normal"}).waitFor({state: "detached"});
  assert.equal(await focus(), "Play next", "it is not lost with the button");
  await page.getByRole("link", {name: "Close the user"}).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", {name: "single"}).waitFor({state: "detached"});
  assert.match(await focus(), /^single/, "it goes back to where it came from");
});

test("the focus goes to the request when its button goes away", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server);
  await hold(server, "single");
  await page.getByRole("button", {name: "Release"}).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("link", {name: /^200 GET .* single/}).waitFor();
  await page.getByRole("button", {name: "Release"}).waitFor({state: "detached"});
  assert.equal(await page.evaluate(() => document.activeElement.closest("#requests > li")?.id), "r1");
});

test("the search of the requests has a key, and is emptied and left as the filter is", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server);
  const at = () => page.evaluate(() => document.activeElement.id);
  await page.keyboard.press("s");
  assert.equal(await at(), "search");
  await page.keyboard.type("s/j");
  assert.equal(await page.getByRole("searchbox", {name: "Search the requests"}).inputValue(), "s/j");
  await page.keyboard.press("Escape");
  assert.equal(await at(), "search");
  await holds(page, () => location.search === "");
  await page.keyboard.press("Escape");
  assert.equal(await at(), "");
});

test("on a phone the page has its parts below each other", async (t) => {
  const server = await trouble(t);
  await fetch(server.base + "/user/" + "campaigns".repeat(20), {headers: {Authorization: "Bearer " + "long".repeat(40), "X-Long": "x".repeat(400)}});
  await hold(server, "slow");
  const page = await visit(t, browser, server, {viewport: {width: 360, height: 740}, isMobile: true, hasTouch: true});
  // What does not fit is clipped in a row, so each element is looked at.
  const wide = () => page.evaluate(() => [...document.querySelectorAll("header *, main *")].filter((it) => {
    const spills = getComputedStyle(it).overflowX === "visible" && it.clientWidth > 1 && it.scrollWidth > it.clientWidth + 1;
    return (spills || it.getBoundingClientRect().right > 361) && it.checkVisibility({contentVisibilityAuto: true}) && !it.parentElement.closest(".scroll,pre");
  }).map((it) => it.outerHTML.slice(0, 80)));
  assert.deepEqual(await wide(), []);
  await rows(page).first().tap();
  await page.getByRole("heading", {name: "Received"}).waitFor();
  assert.deepEqual(await wide(), []);
  await page.getByRole("link", {name: /^edge-cases/}).tap();
  await page.getByText("Body and headers").tap();
  await page.getByText(/^A normal answer/).tap();
  await page.getByText("as JSON", {exact: true}).tap();
  await page.getByText("What is assumed of the service").tap();
  assert.deepEqual(await wide(), []);
});
