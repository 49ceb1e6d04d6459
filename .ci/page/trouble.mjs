// A server on which there is something of everything to look at.
import assert from "node:assert/strict";
import {becomes} from "./browser.mjs";
import {serve} from "./server.mjs";

// trouble starts a server that has seen an answer of every kind.
export async function trouble(t) {
  const server = await serve(t);
  await server.ask("demo");
  await server.ask("expired");
  await server.ask("server-error");
  await server.ask("reset").catch(() => {});
  await fetch(server.origin + "/user/campaigns");
  const given = new AbortController();
  server.leave.push(() => given.abort());
  fetch(server.base + "/user/campaigns", {headers: {Authorization: "Bearer hang"}, signal: given.signal}).catch(() => {});
  await server.plane("GET", "requests?await=6");
  return server;
}

// unfold opens a request that matched nothing.
export const unfold = async (page) => {
  await page.getByRole("link", {name: /404 GET \/user\/campaigns no token/}).click();
  await page.getByRole("heading", {name: "Received"}).waitFor();
};

// hold has the next request of a token held until it is released, or the test ends, and
// returns the promise of its status, in an object. Its reply may say more.
export async function hold(server, token, reply) {
  const ofToken = "?token=" + encodeURIComponent(token), given = new AbortController();
  await server.plane("POST", "replies" + ofToken, [{delay: "until released", ...reply}]);
  const status = fetch(server.base + "/user/campaigns", {headers: {Authorization: "Bearer " + token}, signal: given.signal}).then((answer) => answer.status, () => "none");
  server.leave.push(() => given.abort());
  const isHeld = ({complete, reason}) => !complete && reason.endsWith("held until released");
  await becomes(() => server.plane("GET", "requests" + ofToken), ({requests}) => assert.ok(isHeld(requests[0] ?? {complete: true})));
  return {status};
}
