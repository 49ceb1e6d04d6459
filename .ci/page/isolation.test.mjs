// Pages of other origins can neither read the control plane nor steer it, unless their origin is
// listed with --control-origins.
import assert from "node:assert/strict";
import {launch, test} from "./browser.mjs";
import {app, origin} from "./origin.mjs";
import {readable, serve} from "./server.mjs";

const browser = await launch();

// A same site is one that differs in its port alone, as an app in development has
// it; another name for this machine is another site.
for (const name of ["127.0.0.1", "localhost"]) {
  test(`a page of http://${name} reads nothing and changes nothing`, async (t) => {
    const otherOrigin = "http://app.example";
    const server = await serve(t, "--control-origins", otherOrigin);
    await server.ask("demo");
    await server.plane("POST", "replies?token=demo", [{status: 503}]);
    const before = await readable(server.origin);
    const page = await app(t, browser, await origin(t, name));
    const seen = await page.evaluate(attack, server.origin);
    assert.deepEqual(seen.read, []);
    assert.ok(seen.tried > 100, `it has tried ${seen.tried} ways`);
    assert.deepEqual(await readable(server.origin), before);
  });
}

// attack tries what a page can do, and returns what it has read. It runs in the page, and
// so has all that it needs inside.
async function attack(origin) {
  const plane = origin + "/_fake/";
  const read = [];
  let tried = 0;
  const reads = [
    "", "users", "users?token=demo", "replies?token=demo", "requests", "service", "health",
    "unplayed", "schema.json", "api.json", "events",
  ];
  const user = '{"description":"taken"}';
  const replies = '[{"status":500,"times":"always"}]';
  const writes = [
    ["PUT", "users?token=demo", user],
    ["DELETE", "users?token=demo"],
    ["POST", "replies?token=demo", replies],
    ["DELETE", "replies?token=demo"],
    ["DELETE", "requests"],
    ["POST", "reset"],
    ["POST", "reset?token=demo"],
    ["POST", "release?token=demo"],
  ];

  // What fetch sends, in each way.
  const types = ["text/plain", "application/json", "application/x-www-form-urlencoded"];
  const tryFetch = async (method, path, body, mode, type) => {
    tried++;
    const answer = await fetch(plane + path, {
      method,
      mode,
      body,
      credentials: "include",
      headers: {"Content-Type": type},
      signal: AbortSignal.timeout(2000),
    }).catch(() => null);
    if (!answer || answer.type === "opaque") return;
    read.push(`${method} ${path} by ${mode} as ${type} is answered ${answer.status}`);
  };
  const fetched = [];
  for (const [method, path, body] of [...reads.map((path) => ["GET", path]), ...writes]) {
    for (const mode of ["cors", "no-cors"]) {
      for (const type of types) fetched.push(tryFetch(method, path, body, mode, type));
    }
  }
  await Promise.all(fetched);

  // What elements load, streams, and what is sent without waiting for an answer.
  const tryLoad = (loader, url) => new Promise((resolve) => {
    tried++;
    loader.onload = loader.onopen = loader.onmessage = () => {
      read.push(`${loader} loads ${url}`);
      resolve();
    };
    loader.onerror = () => {
      loader.close?.();
      resolve();
    };
  });
  for (const path of ["", "users", "requests"]) {
    for (const name of ["img", "script"]) {
      const loader = document.createElement(name);
      const loaded = tryLoad(loader, plane + path);
      loader.src = plane + path;
      document.body.append(loader);
      await loaded;
    }
  }
  await tryLoad(new EventSource(plane + "events"), "events");
  await tryLoad(new WebSocket(plane.replace("http", "ws") + "events"), "events");
  for (const [, path, body] of writes) {
    navigator.sendBeacon(plane + path, new Blob([body ?? ""], {type: "text/plain"}));
  }

  // Forms, sent into a frame.
  const frame = document.createElement("iframe");
  frame.name = "frame";
  document.body.append(frame);
  for (const [, path, body] of writes) {
    tried++;
    const form = document.createElement("form");
    form.action = plane + path;
    form.method = "post";
    form.enctype = "text/plain";
    form.target = "frame";
    const input = document.createElement("input"); // whose name and value are JSON together
    input.name = (body ?? "{}").slice(0, -1) + ',"x":"';
    input.value = '"}';
    form.append(input);
    document.body.append(form);
    const done = new Promise((resolve) => {
      frame.addEventListener("load", resolve, {once: true});
    });
    form.submit();
    await done;
  }
  return {read, tried};
}

test("a listed page steers, and hears of changes", async (t) => {
  const listed = await origin(t, "localhost");
  const server = await serve(t, "--control-origins", listed);
  const page = await app(t, browser, listed);
  const hasReason = (message) => message.text().includes("scripted: 503");
  const reason = page.waitForEvent("console", hasReason);
  await page.evaluate(async (plane) => {
    const body = '{"replies": [{"status": 503}]}';
    await fetch(plane + "users?token=alice", {method: "PUT", body});
    new EventSource(plane + "events").addEventListener("changed", async () => {
      const answer = await fetch(plane + "requests?token=alice");
      console.log(await answer.text());
    });
  }, server.page);
  await Promise.all([server.ask("alice"), reason]);
});
