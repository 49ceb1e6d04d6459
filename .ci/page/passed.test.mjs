// Requests that are passed on to an upstream.
import assert from "node:assert/strict";
import {once} from "node:events";
import {createServer} from "node:http";
import {counts, launch, reads, rows, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

// upstream serves what a real API would, until the test ends, and returns where.
async function upstream(t) {
  const server = createServer((_, answer) => {
    answer.setHeader("Link", `<https://upstream.test/${"next/".repeat(100)}>`);
    answer.end("an answer");
  });
  server.listen(0, "127.0.0.1");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}`;
}

const longPath = "/orders/" + "of-spring/".repeat(40) + "?" + "sort=name&".repeat(40) + "page=7";

// passing starts a server that has passed on some requests and answered others.
async function passing(t) {
  const server = await serve(t, "--upstream", await upstream(t), "--unknown-tokens", "upstream");
  const headers = {Authorization: "Bearer demo"};
  await fetch(server.base + "/profile", {headers});
  await fetch(server.base + longPath, {headers});
  await server.ask("demo");
  return server;
}

test("those of long URLs have a few lines in a narrow window", async (t) => {
  const server = await passing(t);
  const viewport = {width: 320, height: 800};
  const page = await visit(t, browser, server, {path: "?show=passed", viewport});
  await counts(rows(page), 0, "none matches the route");
  const links = page.locator("#requests > li > a");
  await counts(links, 2);
  const {height} = await links.first().boundingBox();
  assert.ok(height < 170, `the row is ${height} px high`);
  await reads(links.first(), /^200\s+GET \/api\/orders\/.*passed on to http/s);
  const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(isTooWide, false, "nothing is to be scrolled sideways");
});

test("those that were passed on are offered, found, and told from the others", async (t) => {
  const server = await passing(t);
  for (let i = 0; i < 55; i++) await server.ask("single"); // which fill the list
  const page = await visit(t, browser, server, {path: "?token=single"});
  await page.getByRole("link", {name: "passed on", exact: true}).click();
  const links = page.locator("#requests > li > a");
  await counts(links, 2);
  const search = page.getByRole("searchbox", {name: "Search the requests"});
  await search.fill("passed on page=7");
  await counts(links, 1);
  await links.first().click();
  const detail = page.locator("#requests .detail");
  await reads(detail, /Body\s+9 bytes were sent\. The journal does not have them, since they /);
  await counts(detail.getByLabel("The body"), 0, "nothing is shown in place of the body");
  await detail.getByText(/^GET /).first().click();
  await reads(detail, /&page=7\n/);
  await reads(detail, /Link\s+<https:\/\/upstream\.test\/\S+…\s+\d+ characters/);
});
