// What an app in a browser sees of the API, besides what clients of every kind do:
// preflights, the answers that are errors, and where an answer breaks off.
import assert from "node:assert/strict";
import {launch, test} from "./browser.mjs";
import {app, origin} from "./origin.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

test("a browser asks before it sends a token, and may", async (t) => {
  const server = await serve(t);
  const where = await origin(t);
  const page = await app(t, browser, where);
  const got = await page.evaluate((url) => fetch(url, {headers: {Authorization: "Bearer demo", "X-App": "1"}}).then(async (answer) => ({type: answer.type, list: (await answer.json()).campaigns.length})), server.base + "/user/campaigns");
  assert.deepEqual(got, {type: "cors", list: 8});
  const {requests} = await server.plane("GET", "requests");
  assert.deepEqual(requests.map(({method, status}) => [method, status]), [["GET", 200], ["OPTIONS", 204]]);
  assert.equal(requests[1].header["Access-Control-Request-Headers"][0], "authorization,x-app");
  assert.equal(requests[0].header.Origin[0], where);
});

test("errors are read, with their problem and their headers", async (t) => {
  const server = await serve(t);
  const page = await app(t, browser);
  const send = (path, headers, method = "GET") => page.evaluate(async ([url, headers, method]) => {
    const answer = await fetch(url, {headers, method});
    return {status: answer.status, headers: Object.fromEntries(answer.headers), body: method === "HEAD" ? null : await answer.json().catch(() => null)};
  }, [server.base + path, headers, method]);
  const campaigns = "/user/campaigns";

  const missing = await send(campaigns, {});
  assert.equal(missing.status, 401);
  assert.match(missing.headers["www-authenticate"], /^Bearer/);
  assert.equal(missing.headers["content-type"], "application/problem+json");
  assert.equal(missing.body.status, 401);
  assert.match(missing.body.detail, /Authorization: Bearer/);

  const expired = await send(campaigns, {Authorization: "Bearer expired"});
  assert.match(expired.headers["www-authenticate"], /error="invalid_token"/);

  await server.plane("PUT", "users?token=limited", {rate_limit: {requests: 1, per: "10s"}});
  await send(campaigns, {Authorization: "Bearer limited"});
  const limited = await send(campaigns, {Authorization: "Bearer limited"});
  assert.equal(limited.status, 429);
  assert.match(limited.headers["retry-after"], /^\d+$/);
  assert.equal(limited.body.status, 429);

  const posted = await send(campaigns, {Authorization: "Bearer demo"}, "POST");
  assert.equal(posted.status, 405);
  assert.match(posted.headers.allow, /GET/);
  assert.equal((await send("/campaigns", {Authorization: "Bearer demo"})).body.status, 404);
  assert.equal((await send(campaigns, {Authorization: "Bearer demo"}, "HEAD")).status, 200);
  assert.equal((await send(campaigns, {Authorization: "Bearer server-error"})).body.status, 500);
  assert.ok("date" in missing.headers, "the clock of the server can be read");
});

test("each fault shows where it should, and once", async (t) => {
  const server = await serve(t);
  const page = await app(t, browser);
  const send = (patience) => page.evaluate(async ([url, patience]) => {
    const signal = AbortSignal.timeout(patience);
    let answer, text = "";
    try {
      answer = await fetch(url, {headers: {Authorization: "Bearer many"}, signal});
    } catch (error) {
      return [error.name, "before any answer"];
    }
    try {
      const reader = answer.body.getReader(), decoder = new TextDecoder();
      for (let part; !(part = await reader.read()).done;) text += decoder.decode(part.value, {stream: true});
    } catch (error) {
      // Of an answer that breaks off a browser may drop what it has not handed out.
      return [error.name, answer.status, ...error.name === "TimeoutError" ? [text.startsWith('{"campaigns":[')] : []];
    }
    try {
      return ["complete", answer.status, JSON.parse(text).campaigns.length];
    } catch (error) {
      return [error.name, answer.status, answer.headers.get("content-type")];
    }
  }, [server.base + "/user/campaigns", patience]);
  const none = "before any answer", patient = 15_000, impatient = 700;
  for (const [fault, patience, want] of [
    ["reset", patient, ["TypeError", none]],
    ["close", patient, ["TypeError", none]],
    ["hang", impatient, ["TimeoutError", none]],
    ["truncate", patient, ["TypeError", 200]],
    ["stall", impatient, ["TimeoutError", 200, true]],
    ["bad_json", patient, ["SyntaxError", 200, "application/json"]],
    ["wrong_type", patient, ["SyntaxError", 200, "text/html; charset=utf-8"]],
  ]) {
    // The answer before leaves a connection, on which a browser would send a request
    // once more if that broke: then the fault would be met by nobody.
    assert.deepEqual(await send(patient), ["complete", 200, 250]);
    await server.plane("POST", "replies?token=many", [{fault}]);
    await server.plane("DELETE", "requests");
    assert.deepEqual(await send(patience), want, fault);
    const {requests} = await server.plane("GET", "requests");
    assert.equal(requests.filter(({method}) => method === "GET").length, 1, `${fault}: it was sent once`);
  }
});
