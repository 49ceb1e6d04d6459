// Whoever opens the server's address for the first time.
import assert from "node:assert/strict";
import {counts, holds, launch, rows, tab, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

test("the address leads to a page that says where to point the app", async (t) => {
  const server = await serve(t);
  const page = await tab(t, browser);
  await page.goto(server.origin);
  assert.equal(page.url(), server.page);
  assert.equal(await page.title(), "campaignfake");
  await page.getByRole("heading", {name: "campaignfake", level: 1}).waitFor();
  await page.getByRole("banner").getByText(server.base, {exact: true}).waitFor();
  await page.getByText("Nothing has arrived yet.").waitFor();
});

test("the address keeps the query of a link to the page", async (t) => {
  const server = await serve(t);
  await server.ask("demo");
  await server.ask("single");
  const page = await tab(t, browser);
  await page.goto(server.origin + "/?token=demo&search=2xx");
  await page.getByRole("heading", {name: "demo", exact: true}).waitFor();
  assert.equal(await page.getByRole("searchbox", {name: "Search the requests"}).inputValue(), "2xx");
  await counts(rows(page), 1);
  await page.goto(server.origin + "/_fake?token=a%26b%2Fc+d");
  await page.getByRole("heading", {name: "a&b/c d", exact: true}).waitFor();
  await page.goto(server.origin + "/?vscodeBrowserReqId=7"); // as an editor adds
  await page.getByText("live", {exact: true}).waitFor();
});

test("marks that turn text around are shown, not obeyed", async (t) => {
  const server = await serve(t);
  const put = await fetch(server.page + "users?token=odd", {method: "PUT", body: JSON.stringify({description: "pay \u202exobni\u202c now"})});
  assert.equal(put.status, 201);
  const page = await visit(t, browser, server, {path: "?token=odd"});
  await page.getByText("pay \ufffdxobni\ufffd now").first().waitFor();
  assert.doesNotMatch(await page.locator("#users").innerText(), /[\u202a-\u202e]/);
});

test("over TLS the page says https, and is live", async (t) => {
  const server = await serve(t, "--tls-self-signed", "127.0.0.1");
  const page = await visit(t, browser, server, {path: "?token=demo", ignoreHTTPSErrors: true});
  assert.match(server.base, /^https:/);
  await page.getByRole("banner").getByText(server.base, {exact: true}).waitFor();
  await page.getByRole("button", {name: "503 once"}).click();
  await page.getByRole("heading", {name: "Waiting to be played"}).waitFor();
  assert.match(await page.getByRole("button", {name: "Copy fetch"}).getAttribute("data-copy"), /"https:/);
});

test("the page contacts its own server alone, and nothing complains", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server);
  await server.ask("demo");
  await rows(page).first().click();
  await page.getByRole("heading", {name: "Received"}).waitFor();
  await page.getByRole("link", {name: /^demo/}).click();
  await page.getByRole("heading", {name: "demo"}).waitFor();
  page.calm();
  // There is one request for the page itself, and the others are for data.
  assert.deepEqual(page.asked.filter((url) => !url.startsWith("data:")).slice(0, 5).map((url) => new URL(url).pathname),
    ["/_fake/", "/_fake/events", "/_fake/health", "/_fake/users", "/_fake/requests"]);
});

test("the policy of the page stops what does not belong to it", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {foreseen: [/Content Security Policy/, /^failed: http:\/\/127.0.0.1:9/]});
  const ran = await page.evaluate(() => new Promise((resolve) => {
    const stopped = new Set();
    document.addEventListener("securitypolicyviolation", (event) => {
      stopped.add(event.effectiveDirective);
      if (stopped.size === 5) resolve({stopped: [...stopped].sort(), ran: window.ran});
    });
    document.body.insertAdjacentHTML("beforeend", `<p id="styled" style="color: red"></p><button id="inline" onclick="ran = 1"></button><iframe src="/_fake/"></iframe>`);
    document.getElementById("inline").click();
    document.body.append(Object.assign(document.createElement("script"), {textContent: "ran = 2"}));
    fetch("http://127.0.0.1:9/").catch(() => {});
  }));
  assert.deepEqual(ran, {stopped: ["connect-src", "frame-src", "script-src-attr", "script-src-elem", "style-src-attr"], ran: undefined});
});

test("without a script the page says where its JSON is", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {javaScriptEnabled: false, live: false});
  assert.equal(page.asked.length, 1);
  assert.match(await page.content(), /This page needs JavaScript\. What it shows is JSON at <a href="requests">/);
});

test("times are those of the reader", async (t) => {
  const server = await serve(t);
  const begin = new Date();
  await server.ask("demo");
  const page = await visit(t, browser, server, {timezoneId: "Asia/Kolkata"});
  const clock = await rows(page).getByRole("time").innerText();
  assert.ok([begin, new Date()].some((at) => clock.startsWith(at.toLocaleTimeString("en-GB", {timeZone: "Asia/Kolkata"}))), clock);
  await page.getByRole("contentinfo").getByText(/times in Asia\/(Kolkata|Calcutta)/).waitFor();
});

test("users are found by what they show", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server);
  await page.getByRole("searchbox", {name: "Filter the users"}).fill("HTML");
  const shown = page.getByRole("navigation", {name: "Users"}).getByRole("link");
  await holds(page, () => document.querySelectorAll("#users li:not([hidden])").length === 2);
  assert.match((await shown.allInnerTexts()).join(), /^maintenance.*not-json/s);
  const nobody = page.getByText("No user has it; any token works.");
  assert.equal(await nobody.isVisible(), false);
  await page.getByRole("searchbox", {name: "Filter the users"}).fill("nobody of this name");
  await nobody.waitFor();
  await counts(shown, 0);
  await page.getByRole("searchbox", {name: "Filter the users"}).fill("HTML");
  await nobody.waitFor({state: "hidden"});
  await server.ask("demo"); // what is new leaves the filter as it is
  await rows(page).first().waitFor();
  await counts(shown, 2);
});

for (const [width, path] of [[1280, ""], [1280, "?token=demo"], [360, ""], [360, "?token=demo"]]) {
  test(`nothing jumps when the data arrive, ${width} px wide with ${path || "no user"}`, async (t) => {
    const server = await serve(t);
    for (let i = 0; i < 30; i++) await server.ask("demo");
    const page = await tab(t, browser, {viewport: {width, height: 800}});
    await page.addInitScript(() => {
      window.jumps = [];
      new PerformanceObserver((list) => jumps.push(...list.getEntries().map((entry) => [entry.value, ...entry.sources.map(({node, previousRect, currentRect}) =>
        `${node?.id || node?.className || node?.nodeName}: ${JSON.stringify(previousRect)} to ${JSON.stringify(currentRect)}`)]))).observe({type: "layout-shift", buffered: true});
    });
    // No data come before there was something to see.
    await page.route(/_fake\/(health|users|requests|replies)/, async (route) => {
      await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
      await route.continue();
    });
    await page.goto(server.page + path);
    await rows(page).nth(20).waitFor();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));
    const jumps = await page.evaluate(() => jumps);
    assert.ok(jumps.reduce((sum, [value]) => sum + value, 0) < 0.02, JSON.stringify(jumps, null, 1));
  });
}
