// A page of another origin uses the upstream through campaignfake, as an app does.
import assert from "node:assert/strict";
import {createServer} from "node:http";
import {createServer as createVite} from "vite";
import {becomes, launch, tab, test} from "../page/browser.mjs";
import {app, origin} from "../page/origin.mjs";
import {serve} from "../page/server.mjs";

const {UPSTREAM} = process.env;
const browser = await launch("--host-resolver-rules=MAP *.example.com 127.0.0.1");

// start starts campaignfake before the upstream.
function start(t, ...args) {
  return serve(t, "--upstream", UPSTREAM, "--unknown-tokens", "upstream", ...args);
}

// logIn logs in as a page does, with cookies, and returns the statuses and bodies of the
// answers. It runs in the page.
async function logIn(base) {
  const headers = {"Content-Type": "application/json"};
  const body = JSON.stringify({name: "Ada"});
  const credentials = "include";
  const session = await fetch(base + "/session", {method: "POST", credentials, headers, body});
  const {token} = await session.json();
  const me = await fetch(base + "/me", {credentials});
  return {
    token,
    statuses: [session.status, me.status],
    me: await me.json(),
    id: me.headers.get("X-Request-Id"),
  };
}

// useAll uses what a page can use. It runs in the page.
async function useAll({base, token}) {
  const credentials = "include";
  const redirected = await fetch(base + "/redirects/url", {credentials});
  const body = "campaign".repeat(100_000);
  const upload = await fetch(base + "/files/1", {method: "PUT", credentials, body});
  const removed = await fetch(base + "/files/1", {method: "DELETE", credentials});
  const headers = {Authorization: "Bearer " + token};
  const campaigns = await fetch(base + "/user/campaigns", {credentials, headers});
  const demo = await fetch(base + "/user/campaigns", {headers: {Authorization: "Bearer demo"}});
  const event = await new Promise((resolve, reject) => {
    const events = new EventSource(base + "/events", {withCredentials: true});
    events.onerror = () => reject(new Error("the events fail"));
    events.onmessage = ({data}) => {
      events.close();
      resolve(data);
    };
  });
  const message = await new Promise((resolve, reject) => {
    const socket = new WebSocket(base.replace("http:", "ws:") + "/live");
    socket.onerror = () => reject(new Error("the WebSocket fails"));
    socket.onopen = () => socket.send("hello");
    socket.onmessage = ({data}) => {
      socket.close();
      resolve(data);
    };
  });
  return {
    redirected: [redirected.url.replace(base, ""), (await redirected.json()).name],
    bytes: (await upload.json()).bytes,
    removed: removed.status,
    campaigns: (await campaigns.json()).campaigns.map(({name}) => name),
    demo: (await demo.json()).campaigns.length,
    event,
    message,
  };
}

const all = {
  redirected: ["/me?from=home", "Ada"],
  bytes: 800_000,
  removed: 204,
  campaigns: ["A real campaign"],
  demo: 8,
  event: "first",
  message: "hello",
};

test("a page with the same host name logs in, and uses all", async (t) => {
  const server = await start(t);
  const page = await app(t, browser, await origin(t, "localhost"));
  const base = server.base.replace("127.0.0.1", "localhost");
  const login = await page.evaluate(logIn, base);
  assert.deepEqual(login.statuses, [201, 200]);
  assert.deepEqual(login.me, {name: "Ada", origin: new URL(UPSTREAM).origin});
  assert.equal(login.id, "17");
  assert.deepEqual(await page.evaluate(useAll, {base, token: login.token}), all);

  const {requests} = await server.plane("GET", "requests");
  assert.ok(requests.some(({method}) => method === "OPTIONS"), "no preflight was sent");
  assert.deepEqual(requests.filter(({advice}) => advice), []);
});

test("the control plane is closed to a page that uses the upstream", async (t) => {
  const server = await start(t);
  const page = await app(t, browser, await origin(t, "localhost"));
  const plane = server.page.replace("127.0.0.1", "localhost");
  const errors = await page.evaluate(async (plane) => {
    const paths = ["users", "requests", "health", "service"];
    const asked = paths.map((path) => fetch(plane + path).then(() => path, (error) => error.name));
    const unread = {method: "POST", mode: "no-cors", credentials: "include", body: '{"status":503}'};
    await fetch(plane + "replies?token=demo", unread);
    return Promise.all(asked);
  }, plane);
  assert.deepEqual(errors, ["TypeError", "TypeError", "TypeError", "TypeError"]);
  const answer = await server.ask("demo");
  assert.equal(answer.status, 200);
});

test("a page with another host name is told why it is not logged in", async (t) => {
  const server = await start(t);
  const page = await app(t, browser, await origin(t, "localhost"));
  const login = await page.evaluate(logIn, server.base);
  assert.deepEqual(login.statuses, [201, 401]);
  const {requests: [advised]} = await server.plane("GET", "requests?advice=true");
  assert.equal(advised.advice.title, "The browser does not keep the cookie theme");
  const write = server.base.replace("127.0.0.1", "localhost");
  assert.ok(advised.advice.text.endsWith(": " + write), advised.advice.text);
});

test("a page of another machine reads nothing, and the journal says what to write", async (t) => {
  const server = await start(t);
  const elsewhere = (await origin(t)).replace("127.0.0.1", "app.example.com");
  const page = await app(t, browser, elsewhere);
  const read = (url) => fetch(url).then((answer) => answer.status, (error) => error.name);
  assert.equal(await page.evaluate(read, server.base + "/text"), "TypeError");
  const {requests: [advised]} = await server.plane("GET", "requests?advice=true");
  assert.match(advised.advice.text, new RegExp(`--cors '${elsewhere}'`));
});

test("a name that was made to lead here does not lead to the upstream", async (t) => {
  const server = await start(t);
  const page = await tab(t, browser);
  const rebound = server.base.replace("127.0.0.1", "evil.example.com");
  const answer = await page.goto(rebound + "/text");
  assert.equal(answer.status(), 403);
  assert.match(await answer.text(), /--control-hosts/);
  const {requests} = await server.plane("GET", "requests?passed_on=true");
  assert.deepEqual(requests, []);
});

// vite starts a development server with a proxy, and returns a page of an app there.
async function vite(t, proxy) {
  const server = await createVite({
    configFile: false,
    root: import.meta.dirname,
    cacheDir: process.env.TMPDIR + "/vite",
    appType: "custom",
    logLevel: "error",
    optimizeDeps: {noDiscovery: true},
    server: {host: "localhost", port: await free(), strictPort: true, hmr: false, ws: false, proxy},
  });
  server.middlewares.use((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end('<!DOCTYPE html><title>an app</title><link rel="icon" href="data:,">');
  });
  await server.listen();
  t.after(() => server.close());
  const where = `http://localhost:${server.config.server.port}`;
  return {page: await app(t, browser, where), base: where + "/api"};
}

// free returns a port that nobody listens on.
async function free() {
  const server = createServer();
  await new Promise((ready) => server.listen(0, "localhost", ready));
  const {port} = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

test("Vite's proxy in front of all", async (t) => {
  const server = await start(t);
  const {page, base} = await vite(t, {"/api": {target: server.origin, ws: true}});
  const login = await page.evaluate(logIn, base);
  assert.deepEqual(login.statuses, [201, 200]);
  assert.deepEqual(login.me, {name: "Ada"});
  assert.deepEqual(await page.evaluate(useAll, {base, token: login.token}), all);
  await becomes(
    () => server.plane("GET", "requests?advice=true"),
    ({requests}) => assert.deepEqual(requests, []),
  );
});

test("two entries of Vite's proxy do the same without an upstream", async (t) => {
  const server = await serve(t);
  const rewrite = (path) => path.replace(/^\/api/, "/v1");
  const {page, base} = await vite(t, {
    "/api/user/campaigns": {target: server.origin},
    "/api": {target: new URL(UPSTREAM).origin, changeOrigin: true, secure: false, ws: true, rewrite},
  });
  const ask = (url) => fetch(url, {headers: {Authorization: "Bearer demo"}}).then((r) => r.text());
  assert.match(await page.evaluate(ask, base + "/user/campaigns"), /Spring Launch/);
  assert.match(await page.evaluate(ask, base + "/text"), /^campaign campaign/);
});
