// An app in a browser cannot read the answers, and the page says why.
import assert from "node:assert/strict";
import {counts, launch, test, visit} from "./browser.mjs";
import {file} from "./file.mjs";
import {app, origin} from "./origin.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

// send sends what an app would send from its page, and says what it sees.
const send = (page, server, options = {}) => page.evaluate(
  ([url, options]) => fetch(url, {headers: {Authorization: "Bearer demo"}, ...options}).then((answer) => answer.status, (error) => error.name),
  [server.base + "/user/campaigns", options]);

test("a refused preflight is named, with the flag and the YAML, which help", async (t) => {
  const server = await serve(t, "--cors", "http://localhost:5173");
  const page = await visit(t, browser, server);
  const where = await origin(t);
  assert.equal(await send(await app(t, browser, where), server), "TypeError");
  await page.getByRole("link", {name: /OPTIONS .* CORS: the preflight was refused/}).click();
  await page.getByText(`A page of ${where} wanted to send GET /api/user/campaigns.`).waitFor();
  await page.getByText("service.cors lists http://localhost:5173, and not this origin.").waitFor();
  await page.getByText(new RegExp(`Start the server with --cors .*${where}, or write it in the fixtures.`)).waitFor();
  await page.getByRole("link", {name: "1 in trouble"}).waitFor();
  const mended = await serve(t, file(t, await page.locator(".fix code").innerText() + "\nusers: {demo: {}}\n"));
  assert.equal(await send(await app(t, browser, where), mended), 200);
  assert.equal(await send(await app(t, browser, where), mended, {credentials: "include"}), 200);
});

test("an answer that the browser keeps to itself is named", async (t) => {
  const server = await serve(t, "--cors", "off");
  const page = await visit(t, browser, server);
  // Without a header of its own a request is sent without asking.
  assert.equal(await send(await app(t, browser), server, {headers: {}}), "TypeError");
  await page.getByRole("link", {name: /^401 GET .* CORS: the page may not read the answer/}).waitFor();
});

test("a preflight whose request has come is no trouble, and may be used for ten minutes", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server), other = await app(t, browser);
  assert.equal(await send(other, server), 200);
  assert.equal(await send(other, server), 200);
  await page.locator("#r3").waitFor();
  await counts(page.getByText("in trouble"), 0);
  assert.deepEqual((await server.plane("GET", "requests")).requests.map(({method}) => method), ["GET", "GET", "OPTIONS"]);
  await page.locator("#r1 > a").click();
  await page.locator("#r1 dd").getByText("600", {exact: true}).waitFor();
});
