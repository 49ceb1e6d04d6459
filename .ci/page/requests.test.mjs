// What an app sends, as it arrives.
import assert from "node:assert/strict";
import {becomes, counts, launch, reads, rows, tab, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

test("the page says where to point the app, and a request appears by itself", async (t) => {
  const server = await serve(t);
  const page = await tab(t, browser);
  await page.goto(server.origin);
  assert.equal(page.url(), server.page, "the address leads to the page");
  await page.getByRole("banner").getByText(server.base, {exact: true}).waitFor();
  const users = page.getByRole("navigation", {name: "Users"});
  await users.getByRole("link", {name: /^demo Eight campaigns/}).waitFor();
  await page.getByRole("heading", {name: "Nothing has arrived yet."}).waitFor();
  await page.getByRole("button", {name: "Send it from here"}).click();
  await reads(rows(page).first(), /^200\s+GET \/api\/user\/campaigns\s+demo/);

  await server.ask("single", {"X-Trace": "<b>7</b>"});
  await page.getByRole("link", {name: /200 GET \/api\/user\/campaigns single/}).click();
  for (const part of [
    /Authorization\s+Bearer single/,
    /X-Trace\s+<b>7<\/b>/,
    /200 OK\./,
    /Content-Type\s+application\/json/,
    /"campaigns": \[/,
  ]) {
    await reads(page.locator("#r2 .detail"), part);
  }

  await fetch(server.origin + "/user/campaigns", {headers: {Authorization: "Bearer demo"}});
  await page.getByRole("link", {name: /^404 GET \/user\/campaigns.* Matched nothing/}).click();
  await page.getByText("Check the base URL that the app is given: " + server.base).waitFor();
  await page.getByRole("link", {name: "1 with advice"}).click();
  await counts(rows(page), 1);

  await page.goto(server.page + "?search=2xx");
  await counts(rows(page), 2, "a search stands in the URL");
  await page.goto("about:blank"); // so that the server is not seen to go away
});

test("an opened request is followed until its answer has ended", async (t) => {
  const server = await serve(t);
  const client = new AbortController();
  const answer = await server.ask("stall", {}, client.signal);
  assert.equal(answer.status, 200);
  const page = await visit(t, browser, server, {path: "?request=1"});
  const detail = page.locator("#r1 .detail");
  await reads(detail, /Why\s+.*stall/);
  const before = await detail.innerText();
  client.abort();
  await becomes(() => detail.innerText(), (text) => assert.notEqual(text, before));
  await reads(detail, /client went away/i);
});

test("only what has arrived since is marked as fresh, and not what another list has", async (t) => {
  const server = await serve(t);
  await server.ask("demo");
  for (let i = 0; i < 5; i++) await server.ask("single");
  const page = await visit(t, browser, server, {path: "?token=demo"});
  await counts(rows(page), 1);
  await page.getByRole("link", {name: "all", exact: true}).click();
  await counts(rows(page), 6);
  const fresh = page.locator("#requests > li.fresh");
  await counts(fresh, 0);
  await server.ask("single");
  await counts(fresh, 1);
});

test("a request that is not in the journal is told until another one is opened", async (t) => {
  const server = await serve(t);
  await server.ask("demo");
  const page = await visit(t, browser, server, {path: "?request=999"});
  const missing = page.locator("#missing");
  await reads(missing, /^Request 999 is not in the journal/);
  await rows(page).first().click();
  await reads(missing, /^$/);
});

test("a query that was ignored is told at its request", async (t) => {
  const server = await serve(t);
  await fetch(server.base + "/user/campaigns?page=2", {headers: {Authorization: "Bearer demo"}});
  await server.ask("demo");
  const page = await visit(t, browser, server);
  await page.getByRole("link", {name: "1 with advice"}).click();
  await counts(rows(page), 1);
  await reads(rows(page).first(), /^200\s+GET \S+\?page=2.*The query was ignored/s);
  await rows(page).first().click();
  await page.getByText("The query ?page=2 was sent").waitFor();
});

test("a search that finds nothing says so, and offers all requests", async (t) => {
  const server = await serve(t);
  for (const token of ["demo", "single"]) await server.ask(token);
  const page = await visit(t, browser, server, {path: "?token=demo"});
  const search = page.getByRole("searchbox", {name: "Search the requests"});
  await search.fill("nowhere");
  await reads(page.locator("#nothing"), /^Nothing was found\. Show all requests$/);
  await page.getByRole("link", {name: "Show all requests"}).click();
  await counts(rows(page), 2, "those of other tokens, too");
  assert.equal(await search.inputValue(), "");
  await page.locator("#requests:focus").waitFor(); // so that the page stays where it is
  await reads(page.locator("#nothing"), /^$/);
});

test("requests are deleted when that is confirmed, all or those of a token", async (t) => {
  const server = await serve(t);
  for (const token of ["demo", "single"]) await server.ask(token);
  const page = await visit(t, browser, server, {path: "?token=demo&show=all"});
  await counts(rows(page), 2);
  const deleteAll = page.getByRole("button", {name: "Delete all requests"});
  page.once("dialog", (dialog) => dialog.dismiss());
  await deleteAll.click();
  page.on("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", {name: "Delete requests"}).click();
  await reads(page.locator("#notice"), /^The requests of the token are deleted\.$/);
  await counts(rows(page), 1);
  await reads(rows(page), /single/);
  await deleteAll.click();
  await counts(rows(page), 0);
  await page.getByText("Nothing has arrived yet.").waitFor();
});

test("hostile names stay text, and none of them runs", async (t) => {
  const server = await serve(t);
  const hostile = [
    `<script>hostile = 1</script>`,
    `</script><img src=x onerror="hostile = 2">`,
    `</pre></td><svg onload="hostile = 3">`,
    `"><a href="javascript:hostile=4">x</a>`,
  ];
  const token = `it's"\\$HOME</script><svg/onload=hostile=5>`;
  const ofToken = "?token=" + encodeURIComponent(token);
  await server.plane("PUT", "users" + ofToken, {
    description: hostile[0] + hostile[1],
    replies: [
      {status: 500, body: hostile[1], headers: {"X-Hostile": hostile[2]}},
      {status: 500, body: hostile[3], times: "always"},
    ],
  });
  const page = await visit(t, browser, server, {path: ofToken, foreseen: [/ERR_ABORTED/]});
  page.on("dialog", (dialog) => assert.fail(dialog.message()));
  await page.getByText(hostile[0] + hostile[1]).last().waitFor();

  await fetch(server.base + "/user/campaigns?" + hostile[0], {
    headers: {
      Authorization: "Bearer " + token,
      "X-Hostile": hostile[0],
      "User-Agent": hostile[1],
    },
  });
  await rows(page).first().click();
  await page.getByLabel("The body").getByText(hostile[1], {exact: true}).waitFor();
  await page.locator("dd", {hasText: hostile[2]}).waitFor();

  const filter = page.getByRole("searchbox", {name: "Filter the users"});
  await filter.fill(hostile[1] + "!");
  await page.locator("#nobody").getByText(hostile[1] + "!").waitFor();
  const unspaced = hostile[1].replaceAll(" ", "/") + "!";
  await filter.fill(unspaced);
  await page.getByRole("link", {name: unspaced}).waitFor();

  const query = new URLSearchParams({request: hostile[1], search: hostile[2]});
  await page.goto(server.page + "?" + query);
  await page.getByText("0 found").waitFor();

  assert.equal(await page.evaluate(() => typeof hostile), "undefined");
  const made = page.locator("main img, main svg, main script, nav svg, nav img");
  assert.equal(await made.count(), 0);
});

test("a list that is left before it has come closes no request of the one that is shown", async (t) => {
  const server = await serve(t);
  for (const token of ["demo", "demo", "single"]) await server.ask(token);
  const page = await visit(t, browser, server);
  for (const number of [1, 2]) await page.locator(`#r${number} > a`).click();
  await page.locator("#r1 .detail").waitFor();
  let leave;
  const hasLeft = new Promise((resolve) => {
    leave = resolve;
  });
  await page.route(/requests\?.*token=single/, async (route) => {
    await hasLeft;
    await route.continue();
  });
  const asked = page.waitForRequest(/requests\?.*token=single/);
  await page.getByRole("link", {name: /^single/}).first().click();
  await asked;
  await page.goBack();
  const came = page.waitForResponse(/requests\?.*token=single/);
  leave();
  await came;
  await server.ask("demo");
  await page.locator("#r4").waitFor();
  await page.locator("#r1 .detail").waitFor();
});
