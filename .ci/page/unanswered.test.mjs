// Requests of the page that fail, or that nobody answers; and what cannot be drawn.
import assert from "node:assert/strict";
import {counts, launch, reads, rows, tab, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

// everything opens a tab that asks for all that the page can show of a server, once it is visited.
async function everything(t) {
  const page = await tab(t, browser);
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () => {
      document.querySelector("#service").open = true;
    });
  });
  const show = (server) => page.goto(server.page + "?token=demo&request=1");
  return {page, show};
}

// isWhole waits until a page is live and shows everything.
async function isWhole(page) {
  await page.getByText("live", {exact: true}).waitFor();
  await page.getByRole("navigation").getByRole("link", {name: /^single/}).waitFor();
  await reads(page.locator("#summary"), /Eight campaigns/);
  await page.locator("#r1 .detail").getByRole("heading", {name: "Answered"}).waitFor();
  await reads(page.locator("#waiting"), /503/);
  await page.getByRole("table", {name: "Settings"}).waitFor();
  await reads(page.locator("#lost"), /^$/);
}

// start starts a server that has something of everything to show.
async function start(t) {
  const server = await serve(t);
  await server.ask("demo");
  await server.plane("POST", "replies?token=demo", [{status: 503}]);
  return server;
}

// eachRequest calls a function at the same time for the URL of each request of the page but the
// first, which is for the document.
async function eachRequest(t, server, run) {
  const {page, show} = await everything(t);
  const asked = new Set();
  page.on("request", (request) => asked.add(request.url()));
  await show(server);
  await isWhole(page);
  const [, ...urls] = [...asked].filter((url) => url.startsWith("http"));
  const paths = urls.map((url) => new URL(url).pathname);
  for (const path of ["health", "users", "requests", "replies", "service", "events"]) {
    assert.ok(paths.includes("/_fake/" + path), `the page asks for ${paths}`);
  }
  await Promise.all(urls.map(run));
}

test("whichever request of the page fails once, the page becomes live", async (t) => {
  const server = await start(t);
  await eachRequest(t, server, async (url) => {
    const {page, show} = await everything(t);
    await page.route(({href}) => href === url, (route) => route.abort(), {times: 1});
    const failed = page.waitForEvent("requestfailed");
    await show(server);
    await failed;
    await isWhole(page);
  });
});

test("what nobody answers is named, and the page is live when it is answered", async (t) => {
  const server = await start(t);
  await eachRequest(t, server, async (url) => {
    const {page, show} = await everything(t);
    let answer;
    const isAnswered = new Promise((resolve) => {
      answer = resolve;
    });
    await page.route(({href}) => href === url, async (route) => {
      await isAnswered;
      await route.continue();
    });
    await show(server);
    const {pathname, search} = new URL(url);
    if (pathname !== "/_fake/events") { // without which the page only hears of changes later
      const said = `The server does not answer. It was asked for ${pathname + search}.`;
      await page.getByRole("alert").getByText(said).waitFor();
      await page.getByText("connecting", {exact: true}).waitFor();
    } else {
      await isWhole(page);
      await server.ask("single");
      await page.getByRole("link", {name: /^single.* 1 request/}).waitFor();
    }
    answer();
    await isWhole(page);
  });
});

test("a change that nobody answers is told, and the next one is sent", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=demo", foreseen: [/ERR_ABORTED/]});
  let held;
  await page.route("**/_fake/replies?*", (route) => {
    const isHeld = !held && route.request().method() === "POST";
    if (isHeld) {
      held = route;
    } else {
      route.continue();
    }
  });
  const once = page.getByRole("button", {name: "503 once"});
  await once.click();
  await reads(page.locator("#notice"), /^The server does not answer\.$/);
  await once.click();
  await reads(page.locator("#waiting"), /503/);
});

test("a page whose own requests never end still asks and steers", async (t) => {
  const page = await visit(t, browser, await serve(t), {path: "?token=stall"});
  const send = page.getByRole("button", {name: "Send a request"});
  for (let i = 0; i < 10; i++) await send.click(); // more than a browser has connections
  await counts(rows(page), 6); // the browser sends no more at a time
  await page.getByRole("button", {name: "503 once"}).click();
  await reads(page.locator("#waiting"), /503/);
  await page.getByText("live", {exact: true}).waitFor();
});

test("what cannot be drawn is told, and drawn when it can be", async (t) => {
  const server = await start(t);
  const places = ["#failure", "#users", "#summary", "#requests", "#settings"];
  await Promise.all(places.map(async (place) => { // each is drawn in a way of its own
    const {page, show} = await everything(t);
    await page.addInitScript((place) => {
      const {replaceChildren} = Element.prototype;
      Element.prototype.replaceChildren = function replace(...children) {
        if (this.closest(place) && !window.isMended) throw new Error("not today");
        replaceChildren.apply(this, children);
      };
    }, place);
    await show(server);
    await reads(page.getByRole("alert").first(),
      /^This page cannot show what the server says: Error: not today\. What is shown /);
    await page.evaluate(() => {
      window.isMended = true;
    });
    await isWhole(page);
  }));
});
