// Requests are searched, and counted as they are selected.
import assert from "node:assert/strict";
import {becomes, counts, has, holds, launch, reads, rows, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";
import {trouble} from "./trouble.mjs";

const browser = await launch();
const box = (page) => page.getByRole("searchbox", {name: "Search the requests"});

// numbers waits until the requests that are shown have these numbers.
const numbers = (page, expected, why) => becomes(() => page.locator("#requests > li").evaluateAll((all) => all.map((row) => Number(row.id.slice(1)))),
  (shown) => assert.deepEqual(shown, expected, why));

const fill = async (server, count) => {
  for (let left = count; left > 0; left -= 50) await Promise.all(Array.from({length: Math.min(left, 50)}, async () => (await server.ask("demo")).arrayBuffer()));
};

test("requests are found by status, its class, method, path and token", async (t) => {
  const server = await trouble(t); // demo, expired, server-error, reset, a wrong path, hang
  await fetch(server.base + "/user/campaigns/x?sort=NAME", {method: "POST", headers: {Authorization: "Bearer Demo/7"}});
  const page = await visit(t, browser, server);
  await counts(rows(page), 7);
  for (const [words, expected] of [
    ["500", [3]], ["5xx", [3]], ["4XX", [7, 5, 2]], ["404", [7, 5]], ["none", [4]],
    ["post", [7]], ["campaigns/X", [7]], ["sort=name", [7]], ["demo", [7, 1]], ["DEMO 2xx", [1]], ["  2xx   demo ", [1]], ["no token", [5]],
    ["404 demo", [7]], ["hang", [6]], ["demo expired", []], ["<b>", []], ["", [7, 6, 5, 4, 3, 2, 1]],
  ]) {
    await box(page).fill(words);
    await numbers(page, expected, words);
    await reads(page.locator("#found"), words ? new RegExp(`^${expected.length} found$`) : /^$/);
  }
  await counts(page.getByText("Nothing has arrived yet."), 0);
});

test("a search goes through all of the journal, stands in the URL, and follows what arrives", async (t) => {
  const server = await serve(t);
  await server.ask("server-error");
  await fill(server, 999);
  const page = await visit(t, browser, server, {foreseen: [/ERR_ABORTED/]});
  await counts(rows(page), 50);
  const begin = performance.now();
  await box(page).fill("5xx");
  await numbers(page, [1], "the oldest is found");
  t.diagnostic(`found among 1,000 in ${Math.round(performance.now() - begin)} ms`);
  await holds(page, () => location.search === "?search=5xx");
  await server.ask("demo");
  await server.ask("maintenance");
  await numbers(page, [1002], "the oldest has left the journal");
  await reads(page.locator("#found"), /^1 found$/);
  await rows(page).first().click();
  await page.reload();
  await numbers(page, [1002]);
  assert.equal(await box(page).inputValue(), "5xx");
  await has(rows(page).first(), "aria-expanded", "true");
  await box(page).fill("get");
  await counts(rows(page), 50);
  await reads(page.locator("#found"), /^1000 found$/);
  await page.getByRole("link", {name: "Show up to 1,000"}).click();
  await counts(rows(page), 1000);
  await page.goBack();
  await counts(rows(page), 50);
  await page.getByRole("navigation").getByRole("link", {name: /^maintenance/}).click();
  await numbers(page, [1002]);
  assert.equal(await box(page).inputValue(), "", "a user is shown with all its requests");
});

test("what is held appears in a search when its answer matches", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?search=503"});
  await server.plane("POST", "replies?token=demo", [{status: 503, delay: "until released"}]);
  const answer = server.ask("demo");
  await server.ask("single");
  await becomes(() => server.plane("GET", "requests?status=0"), ({requests}) => assert.match(requests[0]?.reason ?? "", /held/));
  await numbers(page, []);
  await server.plane("POST", "release?token=demo");
  assert.equal((await answer).status, 503);
  await counts(rows(page), 1);
  await reads(page.locator("#found"), /^1 found$/);
});

test("a journal of more than 1,000 requests is said to be searched in part", async (t) => {
  const server = await serve(t, "--journal", "1100");
  await server.ask("server-error");
  await fill(server, 1000);
  const page = await visit(t, browser, server, {path: "?search=5xx"});
  await reads(page.locator("#found"), /^0 found among the latest 1,000$/);
});

test("trouble is counted and shown as the user and the search select it", async (t) => {
  const server = await serve(t);
  const lost = (path, token) => fetch(server.origin + path, {headers: {Authorization: "Bearer " + token}});
  await lost("/user/campaigns", "demo"); // 1
  await lost("/api/user/campaigns/", "demo"); // 2
  await lost("/user/campaigns", "single"); // 3
  await server.ask("demo"); // 4
  await server.ask("single"); // 5
  const page = await visit(t, browser, server);
  const inTrouble = page.locator("#counts").getByRole("link", {name: /in trouble$/});
  await reads(inTrouble, /^3 in trouble$/);
  await page.getByRole("navigation").getByRole("link", {name: /^demo/}).click();
  await reads(inTrouble, /^2 in trouble$/);
  await inTrouble.click();
  await numbers(page, [2, 1]);
  assert.match(page.url(), /\?token=demo&show=trouble$/);
  await lost("/user/campaigns", "single"); // 6
  await lost("/user/campaigns", "demo"); // 7
  await numbers(page, [7, 2, 1]);
  await reads(inTrouble, /^3 in trouble$/);
  await box(page).fill("api");
  await numbers(page, [2]);
  await reads(inTrouble, /^1 in trouble$/);
  await page.getByRole("link", {name: "of demo"}).click();
  await numbers(page, [4, 2]);
  await reads(inTrouble, /^1 in trouble$/);
  await lost("/api/user/campaigns/", "single"); // 8
  await lost("/api/user/campaigns/", "demo"); // 9
  await numbers(page, [9, 4, 2]);
  await reads(inTrouble, /^2 in trouble$/);

  // All are shown beside the chosen user, and those of them in trouble.
  await box(page).fill("");
  await page.getByRole("link", {name: "all", exact: true}).click();
  await numbers(page, [9, 8, 7, 6, 5, 4, 3, 2, 1]);
  await reads(inTrouble, /^7 in trouble$/);
  await inTrouble.click();
  await numbers(page, [9, 8, 7, 6, 3, 2, 1]);
  await page.getByRole("link", {name: "Close the user"}).click();
  await numbers(page, [9, 8, 7, 6, 5, 4, 3, 2, 1]);
  await page.getByRole("navigation").getByRole("link", {name: /^empty/}).click();
  await counts(inTrouble, 0);
});
