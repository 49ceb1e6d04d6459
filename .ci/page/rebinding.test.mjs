// A page whose name was made to point at the server, as DNS rebinding does, reads
// nothing of the control plane and changes nothing. The browser's resolver is mapped, so
// that the server is of the page's own origin.
import assert from "node:assert/strict";
import {launch, tab, test} from "./browser.mjs";
import {readable, serve} from "./server.mjs";

const secret = "token-of-somebody";

// rebound opens a page of a name that nobody has listed, at an address of a server.
async function rebound(t, address, name) {
  const [ip, port] = address.split(":");
  const browser = await launch(`--host-resolver-rules=MAP ${name} ${ip}`);
  const page = await tab(t, browser);
  const origin = `http://${name}:${port}`;
  // The API answers any host.
  const answer = await page.goto(origin + "/api/user/campaigns");
  assert.equal(answer.status(), 401);
  return {page, origin};
}

test("a server on all addresses gives a page of another name nothing", async (t) => {
  const server = await serve(t, "--listen", "0.0.0.0:0");
  await server.ask(secret);
  const before = await readable(server.origin);
  assert.match(JSON.stringify(before), new RegExp(secret));
  const {page, origin} = await rebound(t, server.host, "127.0.0.1.evil.example");
  const {read, tried} = await page.evaluate(attack, secret);
  assert.deepEqual(read, []);
  assert.ok(tried > 100, `it has tried ${tried} ways`);
  const answer = await page.goto(origin + "/_fake/");
  assert.equal(answer.status(), 403);
  assert.match(await answer.text(), /DNS rebinding|is not localhost.*--control-hosts/);
  // What the page has asked of the API is in the journal, as it should be.
  const after = await readable(server.origin);
  assert.deepEqual(after.slice(0, 3), before.slice(0, 3));
});

// attack tries, in a page of the server's own origin, all paths by all methods, and
// returns what it has read. Health is left out, since it answers any host.
async function attack(secret) {
  const read = [];
  let tried = 0;
  const names = [
    "", "users", "users?token=demo", "replies?token=demo", "requests", "service",
    "schema.json", "api.json", "events", "unplayed", "reset", "release?token=demo",
    "nothing", "%75sers",
  ];
  const paths = ["/", "/_fake", "/favicon.ico", ...names.map((name) => "/_fake/" + name)];
  for (const path of paths) {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      tried++;
      const answer = await fetch(path, {
        method,
        headers: {
          "X-Forwarded-Host": "localhost",
          Forwarded: "host=localhost",
          "Content-Type": "application/json",
        },
        body: method.startsWith("P") ? "{}" : undefined,
        redirect: "manual",
        signal: AbortSignal.timeout(100_000),
      });
      const text = await answer.text();
      const says = text === "" || text.includes("--control-hosts");
      const isRefused = answer.status === 403 && says && !text.includes(secret);
      if (!isRefused) read.push(`${method} ${path}: ${answer.status} ${text}`);
    }
  }
  await new Promise((resolve) => {
    const stream = new EventSource("/_fake/events");
    stream.onopen = stream.onmessage = () => {
      read.push("events are open");
      resolve();
    };
    stream.onerror = () => {
      stream.close();
      resolve();
    };
  });
  return {read, tried};
}

// It is the rule that keeps the page out, and not the browser.
test("a host that is listed is let in, with its page", async (t) => {
  const server = await serve(t, "--control-hosts", "other.example,Evil.Example");
  await server.ask(secret);
  const {page, origin} = await rebound(t, server.host, "evil.example");
  await page.goto(origin + "/");
  await page.getByText("live", {exact: true}).waitFor();
  await server.ask("demo");
  await page.locator("#requests").getByText("demo").first().waitFor();
  await page.goto("about:blank"); // so that the server is not seen to go away
});
