// What an app in a browser sees of the API, besides what clients of every kind do:
// preflights, the headers of answers that are errors, and where an answer breaks off.
import assert from "node:assert/strict";
import {launch, test} from "./browser.mjs";
import {app, origin} from "./origin.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

test("a browser asks before it sends a token, and reads answers and errors with their headers", async (t) => {
  const server = await serve(t);
  const where = await origin(t), page = await app(t, browser, where);
  const send = (token) => page.evaluate(async ([url, token]) => {
    const answer = await fetch(url, {headers: {Authorization: "Bearer " + token, "X-App": "1"}});
    const {campaigns, status} = await answer.json();
    return {type: answer.type, status: answer.status, headers: Object.fromEntries(answer.headers), count: campaigns?.length, problem: status};
  }, [server.base + "/user/campaigns", token]);
  const {type, count} = await send("demo");
  assert.deepEqual({type, count}, {type: "cors", count: 8});
  const {requests} = await server.plane("GET", "requests");
  assert.deepEqual(requests.map(({method, status}) => [method, status]), [["GET", 200], ["OPTIONS", 204]]);
  assert.equal(requests[1].header["Access-Control-Request-Headers"][0], "authorization,x-app");
  assert.equal(requests[0].header.Origin[0], where);

  const expired = await send("expired");
  assert.deepEqual([expired.status, expired.problem, expired.headers["content-type"]], [401, 401, "application/problem+json"]);
  assert.match(expired.headers["www-authenticate"], /error="invalid_token"/);
  assert.ok("date" in expired.headers, "the clock of the server can be read");
  await server.plane("PUT", "users?token=limited", {rate_limit: {requests: 1, per: "10s"}});
  await send("limited");
  const limited = await send("limited");
  assert.deepEqual([limited.status, limited.problem], [429, 429]);
  assert.match(limited.headers["retry-after"], /^\d+$/);
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
