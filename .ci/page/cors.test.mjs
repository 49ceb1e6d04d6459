// An app in a browser cannot read the answers, and the page says why.
import assert from "node:assert/strict";
import {counts, launch, rows, test, visit} from "./browser.mjs";
import {app, origin} from "./origin.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

// send sends what an app would send from its page, and says what it sees.
const send = (page, server, options = {}) => page.evaluate(
  ([url, options]) => fetch(url, {headers: {Authorization: "Bearer demo"}, ...options}).then((answer) => answer.status, (error) => error.name),
  [server.base + "/user/campaigns", options]);

test("a refused preflight is named, and what to do about it", async (t) => {
  const server = await serve(t, "--cors", "off");
  const page = await visit(t, browser, server);
  const where = await origin(t);
  assert.equal(await send(await app(t, browser, where), server), "TypeError");
  const row = page.getByRole("link", {name: /OPTIONS .* CORS: the preflight was refused/});
  await row.click();
  await page.getByRole("heading", {name: "CORS: the preflight was refused"}).waitFor();
  await page.getByText(`A page of ${where} wanted to send GET /api/user/campaigns.`).waitFor();
  await page.getByText(`Start the server with --cors ${where}, or write it in the fixtures.`).waitFor();
  await page.getByRole("link", {name: "1 in trouble"}).waitFor();
});

test("an answer that the browser keeps to itself is named", async (t) => {
  const server = await serve(t, "--cors", "off");
  const page = await visit(t, browser, server);
  // Without a header of its own a request is sent without asking.
  assert.equal(await send(await app(t, browser), server, {headers: {}}), "TypeError");
  await page.getByRole("link", {name: /^401 GET .* CORS: the page may not read the answer/}).waitFor();
});

test("a request with cookies that never comes is named", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server);
  const where = await origin(t);
  assert.equal(await send(await app(t, browser, where), server, {credentials: "include"}), "TypeError");
  await page.getByRole("link", {name: /OPTIONS .* CORS: a preflight without its request/}).click();
  await page.getByText("That is what happens with fetch(…, {credentials: \"include\"}) unless service.cors lists the origin").waitFor();
  await page.getByText(`--cors ${where}`).first().waitFor();

  // What it says helps.
  const listed = await serve(t, "--cors", where);
  const other = await visit(t, browser, listed);
  assert.equal(await send(await app(t, browser, where), listed, {credentials: "include"}), 200);
  await other.getByRole("link", {name: /^200 GET /}).waitFor();
  await other.getByText("in trouble").waitFor({state: "detached"});
  await other.getByText("CORS:").first().waitFor({state: "detached"});
  assert.doesNotMatch((await rows(other).allInnerTexts()).join(), /CORS:/);
});

test("an origin that is not listed is told from one that is", async (t) => {
  const server = await serve(t, "--cors", "http://localhost:5173");
  const page = await visit(t, browser, server);
  const where = await origin(t);
  assert.equal(await send(await app(t, browser, where), server), "TypeError");
  await page.getByRole("link", {name: /OPTIONS .* CORS: the preflight was refused/}).click();
  await page.getByText("service.cors lists http://localhost:5173, and not this origin.").waitFor();
});

test("a preflight whose request has come is no trouble", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server);
  const other = await app(t, browser);
  assert.equal(await send(other, server), 200);
  await page.getByRole("link", {name: /GET .* \+ preflight demo/}).waitFor();
  await counts(page.getByText("in trouble"), 0);
  // A preflight that came long before its request is in trouble until then.
  const preflight = (method) => fetch(server.base + "/user/campaigns", {method: "OPTIONS", headers: {Origin: "http://localhost:5173", "Access-Control-Request-Method": method}});
  await preflight("GET");
  await page.getByRole("link", {name: "1 in trouble"}).waitFor();
  await page.getByRole("link", {name: /OPTIONS .* CORS: a preflight without its request/}).waitFor();
  await server.ask("demo", {Origin: "http://localhost:5173"});
  await page.getByText("in trouble").waitFor({state: "detached"});
  await page.getByText("CORS:").waitFor({state: "detached"});
});

test("a preflight whose request has come leaves those in trouble", async (t) => {
  const server = await serve(t);
  const page = await visit(t, browser, server, {path: "?show=trouble"});
  await fetch(server.base + "/user/campaigns", {method: "OPTIONS", headers: {Origin: "http://localhost:5173", "Access-Control-Request-Method": "GET"}});
  await rows(page).getByText("CORS: a preflight without its request").waitFor();
  await server.ask("demo", {Origin: "http://localhost:5173"});
  await rows(page).first().waitFor({state: "detached"});
});
