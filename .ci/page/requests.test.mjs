// What an app sends, as it arrives.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {becomes, counts, has, holds, launch, reads, rows, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";
import {hold, trouble} from "./trouble.mjs";

const browser = await launch();
const box = (page) => page.getByRole("searchbox", {name: "Search the requests"});

// focused is the id of the row that has the focus.
const focused = (page) => page.evaluate(() => document.activeElement.closest("#requests > li")?.id);

// numbers waits until the requests that are shown have these numbers.
const numbers = (page, expected, why) => becomes(() => page.locator("#requests > li").evaluateAll((all) => all.map((row) => Number(row.id.slice(1)))),
  (shown) => assert.deepEqual(shown, expected, why));

// fill has an app send so many requests, a few at once.
const fill = async (server, count) => {
  for (let left = count; left > 0; left -= 50) await Promise.all(Array.from({length: Math.min(left, 50)}, async () => (await server.ask("demo")).arrayBuffer()));
};

test("a request appears at the top by itself, and is opened with the keyboard", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {timezoneId: "Asia/Kolkata"});
  await page.evaluate(() => (window.here = true));
  await server.ask("demo");
  await rows(page).first().waitFor();
  await server.ask("single", {"X-Trace": "<b>7</b>"});
  await page.getByRole("link", {name: /200 GET \/api\/user\/campaigns single/}).waitFor();
  await numbers(page, [2, 1]);
  const {requests: [{at}]} = await server.plane("GET", "requests"), time = rows(page).first().getByRole("time");
  await has(time, "title", new Date(at).toISOString().replace("T", " ").replace("Z", " UTC"));
  await reads(time, new RegExp("^" + new Date(at).toLocaleTimeString("en-GB", {timeZone: "Asia/Kolkata"})));

  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the requests");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "r2");
  const row = page.locator("#r2 > a"), detail = page.locator("#r2 .detail");
  await has(row, "aria-expanded", "false");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", {name: "Why"}).waitFor();
  await has(row, "aria-expanded", "true");
  const text = await detail.innerText();
  for (const part of [/GET \/api\/user\/campaigns/, /Authorization\s+Bearer single/, /X-Trace\s+<b>7<\/b>/, /200 OK\. The first byte was sent [\d.]+ ms after the request arrived\./,
    /Content-Type\s+application\/json/, /"campaigns": \[/]) assert.match(text, part);

  await fill(server, 5);
  await page.locator("#r7").waitFor();
  assert.equal(await focused(page), "r2", "the focus stays where it was");
  await has(row, "aria-expanded", "true", "what was opened stays open");
  await server.plane("POST", "reset?token=demo");
  await numbers(page, [2]);
  assert.equal(await focused(page), "r2");
  await page.keyboard.press("Enter");
  await has(row, "aria-expanded", "false");
  await counts(detail, 0);
  assert.equal(await page.evaluate(() => window.here), true, "nothing was loaded again");
});

test("a link to a request shows it, and what is opened stays so over a reload", async (t) => {
  const server = await serve(t);
  await server.ask("single");
  await fill(server, 69);
  const inView = (id) => holds(page, (id) => {
    const box = document.getElementById(id)?.getBoundingClientRect();
    return box && box.top > -1 && box.top < innerHeight;
  }, id);
  const page = await visit(t, browser, server, {path: "?request=3", foreseen: [/net::ERR_ABORTED/]});
  await inView("r3");
  await page.locator("#r3").getByRole("heading", {name: "Why"}).waitFor();
  await counts(rows(page), 51);
  await server.plane("POST", "reset?token=single"); // after which all is shown anew
  await has(page.locator("#r3 > a"), "aria-expanded", "true");

  await page.goto(server.page + "?token=demo");
  await page.locator("#r60 > a").click();
  await holds(page, () => location.search === "?token=demo&request=60");
  await page.reload();
  await has(page.locator("#r60 > a"), "aria-expanded", "true");
  await inView("r60");
  await server.plane("DELETE", "requests");
  await counts(rows(page), 0);
  await holds(page, () => location.search === "?token=demo");
  await page.goto(server.page + "?request=7");
  await page.getByText("Request 7 is not in the journal.").waitFor();
  await page.getByRole("link", {name: /^demo/}).click();
  await counts(page.getByText("Request 7 is not"), 0);
});

test("1,000 requests are shown, and what one looks at stays as it is while many more arrive", async (t) => {
  const server = await serve(t);
  for (let i = 0; i < 250; i++) await server.plane("PUT", `users?token=user-${i}`, {});
  await fill(server, 1000);
  const page = await visit(t, browser, server);
  await counts(rows(page), 50);
  await page.getByRole("link", {name: "Show up to 1,000"}).click();
  await counts(rows(page), 1000);
  assert.deepEqual(await page.locator("#requests > li").evaluateAll((all) => all.map((row) => row.id)), Array.from({length: 1000}, (_, i) => "r" + (1000 - i)));
  await page.locator("#r900 > a").click();
  await page.locator("#r900 .detail").getByRole("heading", {name: "Why"}).waitFor();
  await page.locator("#r900").evaluate((row) => {
    getSelection().selectAllChildren(row.querySelector("dd"));
    row.scrollIntoView();
    window.frames_ = [];
    const frame = (last) => requestAnimationFrame((now) => {
      frames_.push(now - last);
      frame(now);
    });
    frame(performance.now());
  });
  // Of the page's refreshes, one is under way at most.
  let asking = 0, most = 0;
  page.on("request", (request) => request.url().endsWith("/health") && (most = Math.max(most, ++asking)));
  page.on("requestfinished", (request) => request.url().endsWith("/health") && asking--);
  const look = () => page.locator("#r900").evaluate((row) => [Math.round(row.getBoundingClientRect().top), document.activeElement.parentElement.id, getSelection().toString()]);
  const before = await look();
  await fill(server, 500);
  await page.locator("#r1500").waitFor();
  assert.deepEqual(await look(), before);
  await counts(rows(page), 1000);
  assert.equal(most, 1);
  const frames = await page.evaluate(() => frames_.sort((a, b) => a - b));
  t.diagnostic(`${frames.length} frames: half within ${frames[frames.length >> 1].toFixed(1)} ms, the longest ${frames.at(-1).toFixed(1)} ms`);
});

test("the path of a request is seen in windows of every width", async (t) => {
  const server = await serve(t);
  await server.ask("a-token-that-is-rather-long-and-wants-room");
  const page = await visit(t, browser, server);
  for (const width of [360, 600, 900, 1024, 1100, 1280, 1920]) {
    await page.setViewportSize({width, height: 800});
    const {wide, whole} = await page.locator("#requests .u").evaluate((path) => ({wide: path.clientWidth, whole: path.scrollWidth <= path.clientWidth}));
    assert.ok(wide > 180 && whole, `at ${width} px the path has ${wide} px`);
  }
});

test("a request without an answer shows as pending, and then how it ended", async (t) => {
  const server = await serve(t);
  await server.plane("PUT", "users?token=late", {replies: [{fault: "hang"}]});
  const page = await visit(t, browser, server);
  const given = new AbortController();
  const asked = fetch(server.base + "/user/campaigns", {headers: {Authorization: "Bearer late"}, signal: given.signal}).catch(() => {});
  await page.getByRole("link", {name: /^… GET .* late/}).click();
  await page.getByText("There is no answer yet.").waitFor();
  given.abort();
  await asked;
  await page.getByRole("link", {name: /^none GET .* late/}).waitFor();
  await page.getByText("No answer was sent; it was over").waitFor();
  await has(rows(page).first(), "aria-expanded", "true", "it is open as before");
});

test("a body is shown in lines, and what a fault cut off is crossed out", async (t) => {
  const server = await serve(t);
  await server.plane("PUT", "users?token=few", {generate: {count: 5}, replies: [{}, {fault: "truncate"}, {body: "[".repeat(3000)}]});
  const sent = await (await server.ask("few")).text();
  await (await server.ask("few")).text().catch(() => {});
  await (await server.ask("few")).text();
  const page = await visit(t, browser, server);
  const body = (number) => page.locator(`#r${number}`).getByLabel("The body");
  for (const number of [1, 2, 3]) await page.locator(`#r${number} > a`).click();
  await page.getByText(`${Buffer.byteLength(sent)} bytes were sent.`, {exact: true}).waitFor();
  assert.match(await body(1).textContent(), /^{\n {2}"campaigns": \[\n {4}{\n {6}"id": "/);
  assert.deepEqual(JSON.parse(await body(1).textContent()), JSON.parse(sent));
  await page.getByText(/^\d+ of \d+ bytes were sent\. The rest is crossed out\.$/).waitFor();
  const all = await body(2).textContent(), rest = await body(2).locator("del").textContent();
  assert.deepEqual(JSON.parse(all), JSON.parse(sent));
  assert.ok(all.endsWith(rest) && rest.length < all.length);
  await reads(body(3), /^\[{3000}$/, "what is nested very deeply is shown as it is");
});

test("of a large body the start is shown", async (t) => {
  const server = await serve(t);
  const sent = await (await server.ask("many")).text();
  const page = await visit(t, browser, server, {path: "?request=1"});
  await page.getByText(`${Buffer.byteLength(sent)} bytes were sent. This is its start.`).waitFor();
  const shown = (await page.getByLabel("The body").textContent()).replaceAll(/\s/g, "");
  assert.ok(shown.length > 3000 && sent.replaceAll(/\s/g, "").startsWith(shown));
  await counts(page.getByRole("button", {name: "Copy the body"}), 0);
});

test("held requests are released in their row, and at their user, with those of the same token", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=demo"});
  const row = page.locator("#requests > li").first(), section = page.locator("#held"), none = page.getByRole("button", {name: "Release"});
  for (const button of [row.locator("> .release"), section.getByRole("button")]) {
    const held = [await hold(server, "demo"), await hold(server, "demo"), await hold(server, "single")];
    await page.getByRole("link", {name: /^… GET .* demo .*held until released/}).first().click();
    await reads(section, /^2 requests are held until released\./);
    await button.focus();
    await page.keyboard.press("Enter");
    assert.deepEqual(await Promise.all(held.slice(0, 2).map(({status}) => status)), [200, 200]);
    await page.getByRole("status").getByText("Released.").waitFor();
    await counts(none, 0);
    await reads(row.locator(".detail"), /200 OK\./, "it is open as before");
    assert.ok(await page.evaluate(() => document.activeElement !== document.body), "the focus is not lost with the button");
    await server.plane("POST", "release?token=single"); // as a test does
    assert.equal(await held[2].status, 200);
    await row.getByRole("link").first().click();
  }
});

test("what matched nothing is told with its remedy, and is sent once more as it was", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {permissions: ["clipboard-read", "clipboard-write"]});
  const copied = async (button) => {
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await button.click();
    await holds(page, async () => await navigator.clipboard.readText() !== "");
    return execFileSync("sh", ["-c", await page.evaluate(() => navigator.clipboard.readText()) + " -sSg"]).toString();
  };
  await fetch(server.origin + "/user/campaigns?q='%22$(id)`id`&<script>", {headers: {Authorization: "Bearer it's<img/src=x>"}});
  await page.getByRole("link", {name: /^404 GET \/user\/campaigns.* Matched nothing/}).click();
  await page.getByRole("heading", {name: "Matched nothing"}).waitFor();
  await page.getByText("is nearly right, but the base path /api is missing.").first().waitFor();
  await page.getByText("Check the base URL that the app is given: " + server.base).waitFor();
  assert.equal(JSON.parse(await copied(page.locator(".fix").getByRole("button", {name: "Copy"}))).campaigns.length, 10);
  assert.match(await copied(page.locator("#r1").getByRole("button", {name: "Copy as curl"})), /"status":404/);
  const {requests: [again, , first]} = await server.plane("GET", "requests");
  for (const field of ["method", "url", "token", "status"]) assert.equal(again[field], first[field], field);
  await fetch(server.base + "/user/campaigns", {method: "POST"});
  await page.getByRole("link", {name: /^405 POST/}).click();
  await page.getByText("The path is right. The method is POST, and has to be GET.").waitFor();
});

test("requests are found by status, its class, method, path and token", async (t) => {
  const server = await trouble(t); // demo, expired, server-error, reset, a wrong path, hang
  await fetch(server.base + "/user/campaigns/x?sort=NAME", {method: "POST", headers: {Authorization: "Bearer Demo/7"}});
  const page = await visit(t, browser, server);
  await counts(rows(page), 7);
  for (const [words, expected] of [
    ["500", [3]], ["5xx", [3]], ["4XX", [7, 5, 2]], ["none", [4]], ["post", [7]], ["campaigns/X", [7]], ["sort=name", [7]], ["demo", [7, 1]],
    ["  2xx   demo ", [1]], ["no token", [5]], ["hang", [6]], ["demo expired", []], ["<b>", []], ["", [7, 6, 5, 4, 3, 2, 1]],
  ]) {
    await box(page).fill(words);
    await numbers(page, expected, words);
    await reads(page.locator("#found"), words ? new RegExp(`^${expected.length} found$`) : /^$/);
  }
});

test("a search goes through all of the journal, stands in the URL, and follows what arrives", async (t) => {
  const server = await serve(t);
  await server.ask("server-error");
  await fill(server, 900);
  const page = await visit(t, browser, server, {foreseen: [/ERR_ABORTED/]});
  await box(page).fill("5xx");
  await numbers(page, [1]);
  const held = await hold(server, "demo", {status: 503});
  await server.ask("maintenance");
  await numbers(page, [903, 1]);
  await server.plane("POST", "release?token=demo");
  assert.equal(await held.status, 503);
  await numbers(page, [903, 902, 1]);
  await page.locator("#r1 > a").click();
  await page.reload();
  await numbers(page, [903, 902, 1]);
  assert.equal(await box(page).inputValue(), "5xx");
  await has(page.locator("#r1 > a"), "aria-expanded", "true");
  await page.getByRole("navigation").getByRole("link", {name: /^maintenance/}).click();
  await numbers(page, [903]);
  assert.equal(await box(page).inputValue(), "", "a user is shown with all its requests");
  await page.goBack();
  await numbers(page, [903, 902, 1]);
});

test("the requests of a user, all of them, and those in trouble", async (t) => {
  const server = await serve(t);
  const lost = (path, token) => fetch(server.origin + path, {headers: {Authorization: "Bearer " + token}});
  await lost("/user/campaigns", "demo"); // 1
  await server.ask("demo"); // 2
  await server.ask("single"); // 3
  const page = await visit(t, browser, server);
  const inTrouble = page.locator("#counts").getByRole("link", {name: /in trouble$/});
  await reads(inTrouble, /^1 in trouble$/);
  await page.getByRole("navigation").getByRole("link", {name: /^demo/}).click();
  await numbers(page, [2, 1]);
  await lost("/api/user/campaigns/", "single"); // 4
  await reads(inTrouble, /^2 in trouble$/);
  await server.ask("single"); // 5
  await server.ask("demo"); // 6
  await numbers(page, [6, 2, 1]);
  await inTrouble.click();
  await numbers(page, [4, 1]);
  assert.match(page.url(), /\?token=demo&show=trouble$/);
  await lost("/user/campaigns", "single"); // 7
  await numbers(page, [7, 4, 1]);
  await page.getByRole("link", {name: "all", exact: true}).click();
  await numbers(page, [7, 6, 5, 4, 3, 2, 1]);
  await page.getByRole("heading", {name: "demo"}).waitFor();
  await page.getByRole("link", {name: "of demo"}).click();
  await numbers(page, [6, 2, 1]);
  await page.getByRole("button", {name: "Clear demo", exact: true}).click();
  await numbers(page, []);
  await page.getByRole("heading", {name: "Nothing of demo has arrived yet."}).waitFor();
  await page.getByRole("link", {name: "Close the user"}).click();
  assert.ok((await server.plane("GET", "requests")).requests.every(({token}) => token === "single"));
  await page.getByRole("button", {name: "Clear", exact: true}).click();
  await page.getByText("The journal is empty.").waitFor();
  await numbers(page, []);
});
