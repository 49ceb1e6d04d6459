// A page whose name was made to point at the server, as DNS rebinding does, reads
// nothing of the control plane and changes nothing. The browser's resolver is mapped, so
// that the server is of the page's own origin.
import assert from "node:assert/strict";
import {launch, tab, test} from "./browser.mjs";
import {serve} from "./server.mjs";

const secret = "token-of-somebody";

// state is all that a program can read of a server.
const state = (origin) => Promise.all(["users", "users?token=demo", "replies?token=demo", "requests"].map(async (path) => (await fetch(origin + "/_fake/" + path)).json()));

// rebound opens a page of a name that nobody has listed, at an address of a server.
async function rebound(t, address, name) {
  const browser = await launch(`--host-resolver-rules=MAP ${name} ${address.replace(/:\d+$/, "")}`);
  const page = await tab(t, browser);
  const origin = `http://${name}:${address.split(":").pop()}`;
  // The API answers any host.
  assert.equal((await page.goto(origin + "/api/user/campaigns")).status(), 401);
  return {page, origin};
}

const servers = {
  "a process on loopback": async (t) => (await serve(t)).host,
  "a process on all addresses": async (t) => (await serve(t, "--listen", "0.0.0.0:0")).host,
};

for (const [kind, start] of Object.entries(servers)) {
  test(`${kind} gives a page of another name nothing`, async (t) => {
    const address = await start(t), here = "http://" + address;
    await fetch(here + "/api/user/campaigns", {headers: {Authorization: "Bearer " + secret}});
    const before = await state(here);
    assert.match(JSON.stringify(before), new RegExp(secret));
    const {page, origin} = await rebound(t, address, "127.0.0.1.evil.example");
    const {read, tried} = await page.evaluate(attack, secret);
    assert.deepEqual(read, []);
    assert.ok(tried > 100, `it has tried ${tried} ways`);
    const answer = await page.goto(origin + "/_fake/");
    assert.equal(answer.status(), 403);
    assert.match(await answer.text(), /DNS rebinding|is not localhost.*--control-hosts/);
    // What the page has asked of the API is in the journal, as it should be.
    assert.deepEqual((await state(here)).slice(0, 3), before.slice(0, 3));
  });
}

// attack tries, in a page of the server's own origin, all paths by all methods, and
// returns what it has read.
async function attack(secret) {
  const read = [];
  let tried = 0;
  const paths = ["/", "/_fake", "/favicon.ico", ...["", "users", "users?token=demo", "replies?token=demo", "requests", "service", "schema.json", "api.json",
    "events", "health", "unplayed", "reset", "release?token=demo", "nothing", "%75sers"].map((path) => "/_fake/" + path)];
  for (const path of paths) {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      tried++;
      const headers = {"X-Forwarded-Host": "localhost", Forwarded: "host=localhost", "Content-Type": "application/json"};
      const answer = await fetch(path, {method, headers, redirect: "manual", signal: AbortSignal.timeout(5000), body: method.startsWith("P") ? "{}" : undefined});
      const text = await answer.text();
      if (answer.status !== 403 || text.includes(secret) || text && !text.includes("--control-hosts")) read.push(`${method} ${path}: ${answer.status} ${text}`);
    }
  }
  await new Promise((done) => {
    const stream = new EventSource("/_fake/events");
    stream.onopen = stream.onmessage = () => done(read.push("events are open"));
    stream.onerror = () => (stream.close(), done());
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
