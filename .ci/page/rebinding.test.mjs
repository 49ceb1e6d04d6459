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

// What the tests are about: a server that is given, as a container is, or processes that
// are started here.
const given = process.env.CAMPAIGNFAKE_ADDRESS;
const servers = given ? {"a container": async () => given} : {
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
    assert.match(await answer.text(), /DNS rebinding|is not this machine.*--control-hosts/);
    // What the page has asked of the API is in the journal, as it should be.
    assert.deepEqual((await state(here)).slice(0, 3), before.slice(0, 3));
  });
}

// attack tries, in a page of the server's own origin, all paths by all methods, and
// returns what it has read.
async function attack(secret) {
  const read = [];
  let tried = 0;
  const paths = ["/", "/_fake", "/favicon.ico", ...["", "users", "users?token=demo", "replies?token=demo", "requests", "requests?await=1", "service", "schema.json", "api.json",
    "events", "health", "unplayed", "reset", "reset?token=demo", "release?token=demo", "nothing", "%75sers"].map((path) => "/_fake/" + path)];
  const saw = (what, status, text) => {
    if (status !== 403 || text.includes(secret) || text && !text.includes("--control-hosts")) read.push(`${what}: ${status} ${text}`);
  };
  for (const path of paths) {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      tried++;
      const options = {method, redirect: "manual", headers: {"X-Forwarded-Host": "localhost", Forwarded: "host=localhost", "Content-Type": "application/json"}, signal: AbortSignal.timeout(5000)};
      if (method.startsWith("P")) options.body = "{}";
      const answer = await fetch(path, options);
      saw(`${method} ${path}`, answer.status, await answer.text());
    }
    tried++;
    const frame = document.createElement("iframe");
    const loaded = new Promise((done) => (frame.onload = done));
    frame.src = path;
    document.body.append(frame);
    await loaded;
    if (frame.contentDocument?.body?.innerText?.includes(secret)) read.push("an iframe shows " + path);
  }
  for (const make of [() => new EventSource("/_fake/events"), () => new WebSocket("ws://" + location.host + "/_fake/events")]) {
    tried++;
    await new Promise((done) => {
      const stream = make();
      stream.onopen = stream.onmessage = () => done(read.push(stream.url + " is open"));
      stream.onerror = () => (stream.close(), done());
    });
  }
  return {read, tried};
}

// It is the rule that keeps the page out, and not the browser.
if (!given) test("a host that is listed is let in, with its page", async (t) => {
  const server = await serve(t, "--control-hosts", "other.example,Evil.Example");
  await server.ask(secret);
  const {page, origin} = await rebound(t, server.host, "evil.example");
  await page.goto(origin + "/");
  await page.getByText("live", {exact: true}).waitFor();
  await server.ask("demo");
  await page.locator("#requests").getByText("demo").first().waitFor();
  await page.goto("about:blank"); // so that the server is not seen to go away
});
