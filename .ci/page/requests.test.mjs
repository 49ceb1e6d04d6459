// What an app sends, as it arrives.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {counts, has, holds, launch, reads, rows, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";
import {hold} from "./trouble.mjs";

const browser = await launch();

// focused is the id of the row that has the focus.
const focused = (page) => page.evaluate(() => document.activeElement.closest("#requests > li")?.id);

// settled waits until the page has caught up with all that the server knows.
const settled = async (page, server) => {
  const {version} = await server.plane("GET", "requests");
  await holds(page, (version) => Number(document.body.dataset.version) >= version, version);
};

test("a request appears at the top by itself, and is opened with the keyboard", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server);
  await page.evaluate(() => (window.here = true));
  await server.ask("demo");
  await rows(page).first().waitFor();
  await server.ask("single", {"X-Trace": "<b>7</b>"});
  await page.getByRole("link", {name: /200 GET \/api\/user\/campaigns single/}).waitFor();
  await reads(rows(page).first(), /single/, "the latest is first");

  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the requests");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "r2");
  const row = rows(page).first();
  await has(row, "aria-expanded", "false");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", {name: "Why"}).waitFor();
  await has(row, "aria-expanded", "true");
  const detail = page.locator("#r2 .detail");
  const text = await detail.innerText();
  for (const part of [/GET \/api\/user\/campaigns/, /Authorization\s+Bearer single/, /X-Trace\s+<b>7<\/b>/, /200 OK\. The first byte was sent [\d.]+ ms after the request arrived\./,
    /Content-Type\s+application\/json/, /"campaigns": \[/]) assert.match(text, part);
  await reads(detail.getByText(/campaign/i).first(), /\.$/, "the reason is a sentence");

  await Promise.all([1, 2, 3, 4, 5].map(() => server.ask("demo")));
  await page.locator("#r7").waitFor();
  assert.equal(await focused(page), "r2", "the focus stays where it was");
  await has(rows(page).nth(5), "aria-expanded", "true", "what was opened stays open");
  await page.keyboard.press("Enter");
  await has(rows(page).nth(5), "aria-expanded", "false");
  await counts(detail, 0);
  assert.equal(await page.evaluate(() => window.here), true, "nothing was loaded again");
});

test("what is opened and focused stays so when another client resets a token", async (t) => {
  const server = await serve(t);
  await server.ask("demo");
  await server.ask("single");
  const page = await visit(t, browser, server);
  await rows(page).nth(1).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", {name: "Why"}).waitFor();
  await server.plane("POST", "reset?token=single");
  await page.locator("#r2").waitFor({state: "detached"});
  assert.equal(await focused(page), "r1");
  await has(rows(page).first(), "aria-expanded", "true");
});

test("a link to a request shows it, and what is opened stays so over a reload", async (t) => {
  const server = await serve(t);
  for (let i = 0; i < 70; i++) await server.ask(i === 2 ? "single" : "demo");
  const inView = (id) => holds(page, (id) => {
    const box = document.getElementById(id)?.getBoundingClientRect();
    return box && box.top > -1 && box.top < innerHeight;
  }, id);
  const page = await visit(t, browser, server, {path: "?request=3", foreseen: [/events: net::ERR_ABORTED/]});
  await inView("r3");
  await page.locator("#r3").getByRole("heading", {name: "Why"}).waitFor();
  await server.plane("POST", "reset?token=single"); // after which all is shown anew
  await page.locator("#r3").waitFor({state: "detached"});
  await holds(page, () => location.search === "");

  await page.goto(server.page + "?token=demo&show=token");
  await page.getByText("live", {exact: true}).waitFor();
  await page.locator("#r60 > a").click();
  await holds(page, () => location.search === "?token=demo&show=token&request=60");
  await page.reload();
  await page.getByText("live", {exact: true}).waitFor();
  await has(page.locator("#r60 > a"), "aria-expanded", "true");
  await inView("r60");
  await page.locator("#r60 > a").click();
  await holds(page, () => location.search === "?token=demo&show=token");
  await counts(page.locator(".detail"), 0);
});

test("a request beyond those that are shown stays open when all is shown anew", async (t) => {
  const server = await serve(t);
  for (let i = 0; i < 70; i++) await server.ask("demo");
  await server.ask("single");
  const page = await visit(t, browser, server, {path: "?request=3"});
  await server.plane("POST", "reset?token=single");
  await page.locator("#r71").waitFor({state: "detached"});
  await has(page.locator("#r3 > a"), "aria-expanded", "true");
});

test("a request that is not in the journal is said not to be", async (t) => {
  const server = await serve(t);
  await server.ask("demo");
  const page = await visit(t, browser, server, {path: "?request=7"});
  await page.getByText("Request 7 is not in the journal.").waitFor();
  await counts(rows(page), 1);
  await page.getByRole("link", {name: /^demo/}).click();
  await page.getByText("Request 7 is not").waitFor({state: "detached"});
});

test("the path of a request is seen in windows of every width", async (t) => {
  const server = await serve(t);
  await server.ask("a-token-that-is-rather-long-and-wants-room");
  const page = await visit(t, browser, server);
  for (const width of [360, 600, 900, 960, 1024, 1100, 1280, 1920]) {
    await page.setViewportSize({width, height: 800});
    const {wide, whole} = await page.locator("#requests .u").evaluate((path) => ({wide: path.clientWidth, whole: path.scrollWidth <= path.clientWidth}));
    assert.ok(wide > 180 && whole, `at ${width} px the path has ${wide} px`);
  }
});

test("a request that is held back shows as pending, and then its answer", async (t) => {
  const server = await serve(t);
  await server.plane("PUT", "users?token=late", {generate: {count: 3}, replies: [{fault: "hang"}]});
  const page = await visit(t, browser, server);
  const given = new AbortController();
  const asked = fetch(server.base + "/user/campaigns", {headers: {Authorization: "Bearer late"}, signal: given.signal}).catch(() => {});
  const row = rows(page).first();
  await page.getByRole("link", {name: /^… GET .* late/}).waitFor();
  await row.click();
  await page.getByText("There is no answer yet.").waitFor();
  given.abort();
  await asked;
  await page.getByRole("link", {name: /^none GET .* late/}).waitFor();
  await page.getByText("No answer was sent; it was over").waitFor();
  await has(row, "aria-expanded", "true", "it is open as before");

  await server.plane("POST", "replies?token=late", [{delay: "700ms"}]);
  const slow = server.ask("late");
  await page.getByRole("link", {name: /^… GET .* late/}).waitFor();
  await slow;
  await page.getByRole("link", {name: /^200 GET .* late .* (0\.[7-9]\d|[1-9]\S*) s/}).waitFor();
});

test("a request that is opened while it is held back stays open when all is shown anew", async (t) => {
  const server = await serve(t);
  await server.plane("PUT", "users?token=late", {replies: [{fault: "hang"}]});
  const page = await visit(t, browser, server);
  const given = new AbortController();
  const asked = fetch(server.base + "/user/campaigns", {headers: {Authorization: "Bearer late"}, signal: given.signal}).catch(() => {});
  await rows(page).first().click();
  await page.getByText("There is no answer yet.").waitFor();
  // Both happen before the page asks again.
  await page.route("**/_fake/requests?*", async (route) => {
    given.abort();
    await asked;
    await route.continue();
  }, {times: 1});
  await server.plane("POST", "reset?token=demo");
  await page.getByText("No answer was sent; it was over").waitFor();
  await has(rows(page).first(), "aria-expanded", "true");
});

test("a request that is held is released in its row, in its detail, and in the section of its user", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=demo"});
  const row = page.locator("#requests > li").first(), release = row.locator("> .release");
  const inDetail = row.locator(".detail").getByRole("button", {name: "Release"});
  const section = page.locator("#held"), none = page.getByRole("button", {name: "Release"});
  for (const button of [release, inDetail, section.getByRole("button", {name: "Release"})]) {
    const {status} = await hold(server, "demo");
    await page.getByRole("link", {name: /^… GET .* demo .*held until released/}).click();
    await inDetail.waitFor();
    await reads(section, /^1 request is held until it is released\./);
    await button.click();
    assert.equal(await status, 200);
    await counts(none, 0);
    await reads(section, /^$/);
    await reads(row.locator(".detail"), /200 OK\./, "it is open as before");
    await row.getByRole("link").first().click();
  }
});

test("all held requests of a token are released at once, and those of others stay held", async (t) => {
  const server = await serve(t);
  const held = [await hold(server, "demo"), await hold(server, "demo"), await hold(server, "single")];
  const page = await visit(t, browser, server, {foreseen: [/ERR_ABORTED/]});
  await counts(page.getByRole("button", {name: "Release"}), 3);
  await page.getByRole("navigation").getByRole("link", {name: /^demo/}).click();
  const section = page.locator("#held");
  await reads(section, /^2 requests are held until they are released\./);
  await page.getByRole("searchbox", {name: "Search the requests"}).fill("nothing of this kind");
  await counts(rows(page), 0);
  await section.getByRole("button", {name: "Release"}).click();
  assert.deepEqual(await Promise.all(held.slice(0, 2).map(({status}) => status)), [200, 200]);
  await page.getByRole("status").getByText("Released.").waitFor();
  await page.goto(server.page + "?token=single");
  await reads(section, /^1 request is held/);
  await server.plane("POST", "release?token=single"); // as a test does
  assert.equal(await held[2].status, 200);
  await reads(section, /^$/);
  await counts(page.getByRole("button", {name: "Release"}), 0);
});

test("a request to a wrong path says what would have matched", async (t) => {
  const server = await serve(t);
  await server.ask("demo");
  const page = await visit(t, browser, server, {permissions: ["clipboard-read", "clipboard-write"]});
  await fetch(server.origin + "/user/campaigns", {headers: {Authorization: "Bearer it's"}});
  const row = page.getByRole("link", {name: /^404 GET \/user\/campaigns .* Matched nothing/});
  await row.click();
  await page.getByRole("heading", {name: "Matched nothing"}).waitFor();
  await page.getByText("The path /user/campaigns is nearly right, but the base path /api is missing.", {exact: true}).waitFor();
  await page.getByText("Check the base URL that the app is given: " + server.base).waitFor();
  await page.locator(".fix").getByRole("button", {name: "Copy"}).click();
  await page.getByText("Copied.").waitFor();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(JSON.parse(execFileSync("sh", ["-c", line + " -sS"])).campaigns.length, 10);

  // What was asked for by mistake can be sent once more as it was.
  await page.getByRole("button", {name: "Copy as curl"}).click();
  const again = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(execFileSync("sh", ["-c", again + " -sS"]).toString(), /"status":404/);
  await page.locator("#r4").waitFor();
  await reads(page.locator("#r4"), /404\s+GET \/user\/campaigns\s+it's/);
});

test("a wrong method, and what a shell and HTML could stumble over, stay what they are", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {permissions: ["clipboard-read", "clipboard-write"]});
  const url = server.base + "/user/campaigns?q='%22$(id)`id`&<script>alert(1)</script>";
  await fetch(url, {method: "POST", headers: {Authorization: "Bearer <img/src=x>"}});
  const row = rows(page).first();
  await row.click();
  await page.getByText("The path is right. The method is POST, and has to be GET.").waitFor();
  await reads(row, /405\s+POST .*\$\(id\)/);
  await page.getByRole("button", {name: "Copy as curl"}).click();
  await page.getByText("Copied.").waitFor();
  execFileSync("sh", ["-c", await page.evaluate(() => navigator.clipboard.readText()) + " -sSg -o /dev/null"]);
  const {requests: [again, first]} = await server.plane("GET", "requests");
  for (const field of ["method", "url", "token", "status"]) assert.equal(again[field], first[field], field);
});

test("what is in trouble is shown alone, live as well", async (t) => {
  const server = await serve(t);
  await server.ask("demo");
  await fetch(server.origin + "/user/campaigns");
  const page = await visit(t, browser, server);
  await page.getByRole("link", {name: "1 in trouble"}).click();
  await holds(page, () => document.querySelectorAll("#requests > li").length === 1);
  await reads(rows(page).first(), /404/);
  assert.match(page.url(), /\?show=trouble$/);
  await server.ask("demo");
  await fetch(server.origin + "/api/user/campaigns/");
  await page.getByRole("link", {name: "2 in trouble"}).waitFor();
  await settled(page, server);
  assert.deepEqual((await rows(page).allInnerTexts()).map((text) => text.slice(0, 3)), ["404", "404"]);
  await page.getByRole("link", {name: "all", exact: true}).click();
  await holds(page, () => document.querySelectorAll("#requests > li").length === 4);
  await page.goBack();
  await holds(page, () => document.querySelectorAll("#requests > li").length === 2);
});
