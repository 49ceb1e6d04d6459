// What a user sees, as a table and as JSON.
import assert from "node:assert/strict";
import {counts, holds, launch, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

test("campaigns are shown as a table, as JSON, and whole", async (t) => {
  const server = await serve(t);
  // Browsers ask for an icon of the JSON by themselves.
  const page = await visit(t, browser, server, {path: "?token=many", foreseen: [/status of 404/, /ERR_ABORTED/]});
  await page.getByText("A normal answer: 250 generated campaigns").click();
  const table = page.getByRole("group", {name: "Campaigns"}).getByRole("table");
  await counts(table.getByRole("row"), 21);
  assert.deepEqual(await table.getByRole("columnheader").allInnerTexts(), ["id", "name", "created_at", "updated_at", "status"]);
  const {campaigns} = await (await server.ask("many")).json();
  const cells = (campaign) => [campaign.id, campaign.name, campaign.created_at, campaign.updated_at, campaign.status];
  assert.deepEqual(await table.getByRole("row").nth(1).getByRole("cell").allInnerTexts(), cells(campaigns[0]));
  await page.getByText("and 230 campaigns more").waitFor();
  await page.getByText("as JSON", {exact: true}).click();
  assert.deepEqual(JSON.parse(await page.getByLabel("The campaigns as JSON").innerText()).campaigns, campaigns.slice(0, 20));
  await page.getByRole("link", {name: "The whole answer"}).click();
  assert.deepEqual(JSON.parse(await page.locator("body").innerText()).campaigns, campaigns);
});

test("what is unfolded stays so while requests arrive", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=demo"});
  await page.getByText("A normal answer: 8 campaigns").click();
  await page.getByText("as JSON", {exact: true}).click();
  await page.getByText("What is assumed of the service").click();
  await server.ask("demo");
  await page.getByRole("link", {name: /^200 GET .* demo/}).waitFor();
  await server.plane("PUT", "users?token=demo", {generate: {count: 3}});
  await page.getByText("A normal answer: 3 generated campaigns").waitFor();
  await holds(page, () => document.querySelector("#as-json pre").textContent.match(/"id"/g)?.length === 3);
  await page.getByRole("table", {name: "Settings"}).waitFor();
});

test("hostile names stay text, and none of them runs", async (t) => {
  const server = await serve(t);
  const hostile = [`<script>hostile = 1</script>`, `</script><img src=x onerror="hostile = 2">`, `</pre></td><svg onload="hostile = 3">`, `{{.BaseURL}}`, `"><a href="javascript:hostile=4">x</a>`];
  await server.plane("PUT", "users?token=hostile", {
    description: hostile[0] + hostile[1],
    campaigns: hostile.map((name, i) => ({id: hostile[2] + i, name, status: hostile[4], created_at: name, updated_at: name, extra: {[hostile[1]]: name}})),
    replies: [{status: 500, body: hostile[1], headers: {"X-Hostile": hostile[2]}}],
  });
  const page = await visit(t, browser, server, {path: "?token=hostile"});
  page.on("dialog", (dialog) => assert.fail(dialog.message()));
  await page.getByText("A normal answer: 5 campaigns").click();
  const names = page.getByRole("group", {name: "Campaigns"}).getByRole("row").locator("td:nth-child(2)");
  await counts(names, hostile.length);
  assert.deepEqual(await names.allInnerTexts(), hostile);
  await page.getByText("as JSON", {exact: true}).click();
  assert.equal(JSON.parse(await page.getByLabel("The campaigns as JSON").innerText()).campaigns[1].name, hostile[1]);

  await fetch(server.base + "/user/campaigns?" + hostile[0], {headers: {Authorization: "Bearer hostile", "X-Hostile": hostile[0], "User-Agent": hostile[1]}});
  const row = page.locator("#requests > li > a").first();
  await row.click();
  await page.getByLabel("The body").getByText(hostile[1], {exact: true}).waitFor();
  await page.locator("dd", {hasText: hostile[2]}).waitFor();
  assert.equal(await page.evaluate(() => typeof hostile), "undefined");
  assert.equal(await page.evaluate(() => document.querySelectorAll("main img, main svg, main script").length), 0);
});

test("the edge cases of the gallery are shown as they are sent", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?token=edge-cases"});
  await page.getByText(/^A normal answer/).click();
  const rows = page.getByRole("group", {name: "Campaigns"}).getByRole("row");
  const {campaigns} = await (await server.ask("edge-cases")).json();
  const shown = await rows.locator("td:nth-child(2)").evaluateAll((cells) => cells.map((cell) => cell.textContent));
  for (const [i, name] of shown.entries()) {
    const sent = campaigns[i].name;
    // HTML knows one kind of line break, and no NUL.
    const kept = (text) => text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").replaceAll("\0", "\ufffd");
    assert.equal(kept(name), kept(typeof sent === "string" ? sent : sent === undefined ? "(left out)" : JSON.stringify(sent)), campaigns[i].id);
  }
});
