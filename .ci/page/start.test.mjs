// Whoever opens the server's address for the first time.
import assert from "node:assert/strict";
import {counts, holds, launch, reads, rows, tab, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

test("the address leads to a page that says where to point the app, and what to send", async (t) => {
  const server = await serve(t);
  const page = await tab(t, browser, {permissions: ["clipboard-read", "clipboard-write"]});
  await page.goto(server.origin);
  assert.equal(page.url(), server.page);
  assert.equal(await page.title(), "campaignfake");
  await page.getByRole("banner").getByText(server.base, {exact: true}).waitFor();
  await page.getByRole("button", {name: "Copy the base URL"}).click();
  await page.getByText("Copied.").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), server.base);
  await page.getByRole("navigation", {name: "Users"}).getByRole("link", {name: /^demo Eight campaigns/}).waitFor();
  await page.getByRole("heading", {name: "Nothing has arrived yet."}).waitFor();
  await page.getByRole("button", {name: "Send it from here"}).click();
  await reads(rows(page).first(), /^200\s+GET \/api\/user\/campaigns\s+demo/);
  await counts(page.getByText("Nothing has arrived yet."), 0);
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

test("over TLS the page says https, and is live", async (t) => {
  const server = await serve(t, "--tls-self-signed", "127.0.0.1");
  const page = await visit(t, browser, server, {path: "?token=demo", ignoreHTTPSErrors: true});
  assert.match(server.base, /^https:/);
  await page.getByRole("banner").getByText(server.base, {exact: true}).waitFor();
  await page.getByRole("button", {name: "Send a request"}).click();
  await rows(page).first().waitFor();
  assert.match(await page.getByRole("button", {name: "Copy fetch"}).getAttribute("data-copy"), /"https:/);
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

test("without a script the page is one request, and says where its JSON is", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {javaScriptEnabled: false, live: false});
  assert.equal(page.asked.length, 1);
  assert.match(await page.content(), /This page needs JavaScript\. What it shows is JSON at <a href="requests">/);
});

test("users are found by what they show, and any other token is one link away", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server);
  const filter = page.getByRole("searchbox", {name: "Filter the users"}), shown = page.locator("#users").getByRole("link"), nobody = page.getByText("; any token works.");
  await filter.fill("HTML");
  await counts(shown, 2);
  assert.match((await shown.allInnerTexts()).join(), /^maintenance.*not-json/s);
  await server.ask("demo"); // what is new leaves the filter as it is
  await rows(page).first().waitFor();
  await counts(shown, 2);
  await filter.fill("nobody of this name");
  await nobody.getByRole("link", {name: "nobody of this name"}).click();
  await page.getByRole("heading", {name: "nobody of this name", exact: true}).waitFor();
  await page.getByText("No user has this token: 10 generated campaigns, always the same.").waitFor();
  await filter.fill("");
  await counts(nobody, 0);
  const strict = await serve(t, "--unknown-tokens", "reject");
  const other = await visit(t, browser, strict, {path: "?token=anybody"});
  await other.getByText("No user has this token.", {exact: true}).waitFor();
  await counts(other.getByRole("button", {name: "Play next"}), 0);
});

test("marks that turn text around are shown, not obeyed", async (t) => {
  const server = await serve(t);
  await server.plane("PUT", "users?token=odd", {description: "pay \u202exobni\u202c now"});
  const page = await visit(t, browser, server, {path: "?token=odd"});
  await page.getByText("pay \ufffdxobni\ufffd now").first().waitFor();
  assert.doesNotMatch(await page.locator("#users").innerText(), /[\u202a-\u202e]/);
});

test("hostile names stay text, and none of them runs", async (t) => {
  const server = await serve(t);
  const hostile = [`<script>hostile = 1</script>`, `</script><img src=x onerror="hostile = 2">`, `</pre></td><svg onload="hostile = 3">`, `"><a href="javascript:hostile=4">x</a>`];
  const token = `it's"\\$HOME</script><svg/onload=hostile=5>`;
  await server.plane("PUT", "users?token=" + encodeURIComponent(token), {description: hostile[0] + hostile[1],
    replies: [{status: 500, body: hostile[1], headers: {"X-Hostile": hostile[2]}}, {status: 500, body: hostile[3], times: "always"}]});
  const page = await visit(t, browser, server, {path: "?token=" + encodeURIComponent(token), foreseen: [/ERR_ABORTED/]});
  page.on("dialog", (dialog) => assert.fail(dialog.message()));
  await page.getByText(hostile[0] + hostile[1]).last().waitFor();
  await fetch(server.base + "/user/campaigns?" + hostile[0], {headers: {Authorization: "Bearer " + token, "X-Hostile": hostile[0], "User-Agent": hostile[1]}});
  await rows(page).first().click();
  await page.getByLabel("The body").getByText(hostile[1], {exact: true}).waitFor();
  await page.locator("dd", {hasText: hostile[2]}).waitFor();
  await page.getByRole("searchbox", {name: "Filter the users"}).fill(hostile[1] + "!");
  await page.getByRole("link", {name: hostile[1] + "!"}).waitFor();
  await page.goto(server.page + "?request=" + encodeURIComponent(hostile[1]) + "&search=" + encodeURIComponent(hostile[2]));
  await page.getByText("0 found").waitFor();
  assert.equal(await page.evaluate(() => typeof hostile), "undefined");
  assert.equal(await page.evaluate(() => document.querySelectorAll("main img, main svg, main script, nav svg, nav img").length), 0);
});

for (const [width, path] of [[1280, ""], [1280, "?token=demo"], [360, ""], [360, "?token=demo"]]) {
  test(`nothing jumps when the data arrive, ${width} px wide with ${path || "no user"}`, async (t) => {
    const server = await serve(t);
    for (let i = 0; i < 30; i++) await server.ask("demo");
    const page = await tab(t, browser, {viewport: {width, height: 800}});
    await page.addInitScript(() => {
      window.jumps = [];
      new PerformanceObserver((list) => jumps.push(...list.getEntries().map((entry) => [entry.value, ...entry.sources.map(({node}) => node?.id || node?.className || node?.nodeName)])))
        .observe({type: "layout-shift", buffered: true});
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
