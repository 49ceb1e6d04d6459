// A page of an origin that is listed with --control-origins uses the control plane as
// programs do: an app can have a token switcher, and tests in it can steer.
import assert from "node:assert/strict";
import {readFile} from "node:fs/promises";
import {launch, test} from "./browser.mjs";
import {app, origin} from "./origin.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

// A same site differs in its port alone; another name is another site.
for (const name of ["127.0.0.1", "localhost"]) {
  test(`a listed page of http://${name} steers`, async (t) => {
    const listed = await origin(t, name);
    const server = await serve(t, "--control-origins", "https://app.example," + listed);
    const page = await app(t, browser, listed);
    assert.deepEqual(await page.evaluate(steer, server.origin), {
      put: 201, user: "Two campaigns", enqueued: 200, answers: [503, 200], campaigns: 2, requests: ["alice 200", "alice 503"], told: true,
      mistake: "400 1", method: "405 DELETE, GET, HEAD, PUT", cookies: 200, page: 200, cleared: 204, reset: 204, gone: 404,
    });
    assert.equal((await server.plane("GET", "requests")).requests.length, 0);
  });
}

// steer does what a token switcher and a test in a page do, and returns what came of it.
async function steer(server) {
  const seen = {}, plane = server + "/_fake/";
  const send = (method, path, body, options) => fetch(plane + path, {method, body: body && JSON.stringify(body), headers: body && {"Content-Type": "application/json", "X-Test": "any"}, ...options});
  const list = () => fetch(server + "/api/user/campaigns", {headers: {Authorization: "Bearer alice"}});

  const put = await send("PUT", "users?token=alice", {description: "Two campaigns", generate: {count: 2}});
  [seen.put, seen.user] = [put.status, (await put.json()).description];
  seen.enqueued = (await send("POST", "replies?token=alice", [{status: 503}])).status;
  const events = new EventSource(plane + "events");
  const changed = () => new Promise((done) => events.addEventListener("changed", done, {once: true}));
  await changed(); // it is told at once
  const next = changed();
  const first = await list(), second = await list();
  [seen.answers, seen.campaigns] = [[first.status, second.status], (await second.json()).campaigns.length];
  seen.told = await next.then(() => true);
  events.close();
  seen.requests = (await (await send("GET", "requests?token=alice&await=2")).json()).requests.map((request) => request.token + " " + request.status);

  const mistake = await send("PUT", "users?token=bob", {delay: 2});
  seen.mistake = mistake.status + " " + (await mistake.json()).mistakes.length;
  const method = await send("PATCH", "users");
  seen.method = method.status + " " + method.headers.get("Allow");
  seen.cookies = (await send("GET", "users", undefined, {credentials: "include"})).status;
  seen.page = (await send("GET", "")).status;
  seen.cleared = (await send("DELETE", "requests")).status;
  seen.reset = (await send("POST", "reset")).status;
  seen.gone = (await send("GET", "users?token=alice")).status;
  return seen;
}

test("a listed page does what the page of package fake shows", async (t) => {
  const text = await readFile("../../fake/README.md", "utf8");
  const [, example] = /```js steer\.mjs\n(.*?)```\n/s.exec(text);
  const listed = await origin(t, "localhost");
  const server = await serve(t, "--control-origins", listed);
  const page = await app(t, browser, listed);
  const logged = page.waitForEvent("console", (message) => message.text().includes("503"));
  await page.evaluate(`(async () => {${example.replaceAll("127.0.0.1:8642", server.host)}})()`);
  await server.ask("alice");
  await logged;
});

test("other pages, and a frame in a sandbox of a listed one, get nothing", async (t) => {
  const listed = await origin(t, "localhost"), other = await origin(t, "localhost");
  const server = await serve(t, "--control-origins", listed);
  await server.ask("demo");
  const answered = (page, path) => page.evaluate((url) => fetch(url).then((answer) => answer.status, (error) => error.name), server.page + path);
  for (const where of [other, other.replace("localhost", "127.0.0.1"), listed.replace("localhost", "127.0.0.1")]) {
    const page = await app(t, browser, where);
    for (const path of ["users", "requests", "health"]) assert.equal(await answered(page, path), "TypeError", where + path);
  }
  const page = await app(t, browser, listed);
  assert.equal(await answered(page, "users"), 200);
  // A frame in a sandbox has the origin null.
  assert.equal(await page.evaluate((plane) => new Promise((done) => {
    addEventListener("message", ({data}) => done(data), {once: true});
    document.body.append(Object.assign(document.createElement("iframe"), {sandbox: "allow-scripts", srcdoc:
      `<script>fetch("${plane}users").then(() => "read", (error) => error.name).then((what) => parent.postMessage(what, "*"))</script>`}));
  }), server.page), "TypeError");
});
