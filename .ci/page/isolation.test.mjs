// Pages of other origins can neither read the control plane nor steer it.
import assert from "node:assert/strict";
import {launch, test} from "./browser.mjs";
import {app, origin} from "./origin.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

// state is all that can be read of a server from outside of a browser.
const state = (server) => Promise.all(["users", "users?token=demo", "replies?token=demo", "requests"].map((path) => server.plane("GET", path)));

// A same site is one that differs in its port alone, as an app in development has
// it; another name for this machine is another site.
for (const name of ["127.0.0.1", "localhost"]) {
  test(`a page of http://${name} reads nothing and changes nothing`, async (t) => {
    const server = await serve(t, "--control-origins", "http://app.example"); // which is another one
    await server.ask("demo");
    await server.plane("POST", "replies?token=demo", [{status: 503}]);
    const before = await state(server);
    const page = await app(t, browser, await origin(t, name));
    const seen = await page.evaluate(attack, server.origin);
    assert.deepEqual(seen.read, []);
    assert.ok(seen.tried > 100, `it has tried ${seen.tried} ways`);
    assert.deepEqual(await state(server), before);
  });
}

// attack tries what a page can do, and returns what it has read.
async function attack(origin) {
  const read = [], plane = origin + "/_fake/";
  let tried = 0;
  const reads = ["", "users", "users?token=demo", "replies?token=demo", "requests", "service", "health", "unplayed", "schema.json", "api.json", "events"];
  const user = '{"description":"taken"}', replies = '[{"status":500,"times":"always"}]';
  const writes = [["PUT", "users?token=demo", user], ["DELETE", "users?token=demo"], ["POST", "replies?token=demo", replies], ["DELETE", "replies?token=demo"],
    ["DELETE", "requests"], ["POST", "reset"], ["POST", "reset?token=demo"], ["POST", "release?token=demo"]];
  const fetched = async (method, path, options) => {
    tried++;
    const answer = await fetch(plane + path, {method, signal: AbortSignal.timeout(2000), ...options}).catch(() => null);
    if (answer && answer.type !== "opaque") read.push(`${method} ${path} with ${JSON.stringify(options)} is answered ${answer.status}`);
  };
  await Promise.all([...reads.map((path) => ["GET", path]), ...writes].flatMap(([method, path, body]) => ["cors", "no-cors"].flatMap((mode) =>
    ["text/plain", "application/json", "application/x-www-form-urlencoded"].map((type) => fetched(method, path, {mode, credentials: "include", body, headers: {"Content-Type": type}})))));

  // What elements load, streams, and what is sent without waiting for an answer.
  const loaded = (make, attribute, url) => new Promise((resolve) => {
    tried++;
    const it = make();
    it.onload = it.onopen = it.onmessage = () => resolve(read.push(`${it} loads ${url}`));
    it.onerror = () => resolve(it.close?.());
    if (attribute) it[attribute] = url;
    if (it instanceof Node) document.body.append(it);
  });
  for (const path of ["", "users", "requests"]) {
    await loaded(() => document.createElement("img"), "src", plane + path);
    await loaded(() => document.createElement("script"), "src", plane + path);
  }
  await loaded(() => new EventSource(plane + "events"));
  await loaded(() => new WebSocket(plane.replace("http", "ws") + "events"));
  for (const [, path, body] of writes) navigator.sendBeacon(plane + path, new Blob([body ?? ""], {type: "text/plain"}));

  // Forms, sent into a frame.
  const frame = Object.assign(document.createElement("iframe"), {name: "frame"});
  document.body.append(frame);
  for (const [, path, body] of writes) {
    tried++;
    const form = Object.assign(document.createElement("form"), {action: plane + path, method: "post", enctype: "text/plain", target: "frame"});
    form.append(Object.assign(document.createElement("input"), {name: (body ?? "{}").slice(0, -1) + ',"x":"', value: '"}'}));
    document.body.append(form);
    const done = new Promise((resolve) => frame.addEventListener("load", resolve, {once: true}));
    form.submit();
    await done;
  }
  return {read, tried};
}

test("a window that another page opens is not read, a form that it sends is refused, and a link leads to the page", async (t) => {
  const server = await serve(t);
  await server.ask("demo");
  const before = await state(server);
  const page = await app(t, browser);
  const opened = page.waitForEvent("popup");
  await page.evaluate((url) => (window.opened = open(url)), server.page);
  await (await opened).getByText("live", {exact: true}).waitFor();
  assert.equal(await page.evaluate(() => {
    try {
      return opened.document.body.innerText;
    } catch (error) {
      return error.name;
    }
  }), "SecurityError");
  const sent = page.waitForEvent("popup");
  await page.evaluate((action) => {
    const form = Object.assign(document.createElement("form"), {action, method: "post", enctype: "text/plain", target: "_blank"});
    form.append(Object.assign(document.createElement("input"), {name: '{"status":500,"body":"', value: '"}'}));
    document.body.append(form);
    form.submit();
  }, server.page + "replies?token=demo");
  await (await sent).getByText(/"status": ?403/).waitFor();
  assert.deepEqual(await state(server), before);
});
