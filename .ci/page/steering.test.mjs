// A user is chosen, and told what to answer next.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {counts, has, holds, launch, reads, rows, test, visit} from "./browser.mjs";
import {file} from "./file.mjs";
import {app} from "./origin.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

// choose opens the page with a user.
async function choose(t, server, token, options) {
  const page = await visit(t, browser, server, {path: "?token=" + encodeURIComponent(token), ...options});
  await page.getByRole("heading", {name: token, exact: true}).waitFor();
  return page;
}

// waiting is the list of what waits to be played.
const waiting = (page) => page.locator("#waiting").getByRole("listitem");

// statuses are the answers that a user gets to so many requests.
async function statuses(server, token, count) {
  const list = [];
  for (let i = 0; i < count; i++) list.push(await server.ask(token).then((answer) => answer.status, () => "broken"));
  return list;
}

test("what is copied gives the campaigns, in a shell, in a page of another origin, and as fixtures", async (t) => {
  const server = await serve(t);
  const odd = `it's"\\$HOME</script>`;
  await server.plane("PUT", "users?token=" + encodeURIComponent(odd), {generate: {count: 4}});
  for (const [token, count] of [["demo", 8], [odd, 4]]) {
    const page = await choose(t, server, token, {permissions: ["clipboard-read", "clipboard-write"]});
    const copied = async (name) => {
      await page.evaluate(() => navigator.clipboard.writeText(""));
      await page.getByRole("button", {name, exact: true}).click();
      await holds(page, async () => await navigator.clipboard.readText() !== "");
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const sent = await (await server.ask(token)).text();
    assert.equal(JSON.parse(sent).campaigns.length, count);
    assert.equal(execFileSync("sh", ["-c", await copied("Copy curl") + " -sS"]).toString(), sent);
    assert.equal(await copied("Copy token"), token);
    const snippet = await copied("Copy fetch"), same = await serve(t, file(t, await copied("Copy YAML")));
    assert.deepEqual(await (await app(t, browser)).evaluate(`(async () => ${snippet})()`), JSON.parse(sent));
    assert.equal(await (await same.ask(token)).text(), sent);
  }
});

test("each quick button sets the next answer", async (t) => {
  const server = await serve(t);
  const page = await choose(t, server, "demo");
  const next = page.getByRole("group", {name: "Next answer"});
  for (const [name, met] of [
    ["503 once", async () => (await server.ask("demo")).status === 503],
    ["401 once", async () => (await server.ask("demo")).headers.get("WWW-Authenticate").includes("invalid_token")],
    ["429, wait 2 s", async () => (await server.ask("demo")).headers.get("Retry-After") === "2"],
    ["2 s late", async () => {
      const begin = performance.now();
      return (await server.ask("demo")).ok && performance.now() - begin >= 1990;
    }],
    ["no campaigns", async () => (await (await server.ask("demo")).text()) === '{"campaigns":[]}'],
    ["cut off", async () => (await server.ask("demo")).text().then(() => false, () => true)],
    ["connection reset", async () => server.ask("demo").then(() => false, () => true)],
    ["hold", async () => {
      const answer = server.ask("demo");
      await page.locator("#requests > li > .release").click();
      return (await answer).ok;
    }],
    ["no answer", async () => fetch(server.base + "/user/campaigns", {headers: {Authorization: "Bearer demo"}, signal: AbortSignal.timeout(300)}).then(() => false, (error) => error.name === "TimeoutError")],
  ]) {
    await next.getByRole("button", {name, exact: true}).click();
    await page.getByRole("status").getByText(`The next answer: ${name}.`).waitFor();
    await counts(waiting(page), 1);
    assert.ok(await met(), name);
    await counts(waiting(page), 0);
  }
  assert.deepEqual(await statuses(server, "demo", 1), [200]);
});

test("the form plays a status, a delay, a fault, so often or always, until it is back to normal", async (t) => {
  const server = await serve(t);
  const page = await choose(t, server, "demo");
  const said = page.locator("#notice");
  await page.getByLabel("Status").fill("503");
  await page.getByLabel("For").selectOption("2 times");
  await page.getByRole("button", {name: "Play next"}).click();
  await reads(said, /^It is played next\.$/);
  await reads(waiting(page), /503.*2 times/);
  await page.getByRole("link", {name: /^demo 1 waiting/}).waitFor();
  assert.equal(await page.getByLabel("Status").inputValue() + await page.getByLabel("For").inputValue(), "1", "the form starts over");
  assert.deepEqual(await statuses(server, "demo", 1), [503]);
  await reads(waiting(page), /503.*once/);
  await has(waiting(page), "aria-current", "step", "the one that is being played");
  await page.getByLabel("Delay").fill("600ms");
  await page.keyboard.press("Enter"); // in the field, as those do who have just typed
  await reads(said, /^It waits behind 1 other reply\.$/);
  await page.getByLabel("Fault").selectOption("reset");
  await page.getByRole("button", {name: "Play next"}).click();
  await reads(said, /^It waits behind 2 other replies\.$/);
  await counts(waiting(page), 3);
  const begin = performance.now();
  assert.deepEqual(await statuses(server, "demo", 4), [503, 200, "broken", 200]);
  assert.ok(performance.now() - begin >= 590);
  await counts(waiting(page), 0);

  await page.getByLabel("For").selectOption("always");
  await page.getByLabel("Status").fill("418");
  await page.keyboard.press("Enter");
  await reads(waiting(page), /418.*always/);
  await page.getByText("A normal answer: 8 campaigns, not sent while a reply is played always.").waitFor();
  await page.getByRole("button", {name: "503 once"}).click();
  await counts(waiting(page), 2);
  assert.deepEqual(await statuses(server, "demo", 3), [503, 418, 418]);
  await page.getByRole("button", {name: "Back to normal"}).focus();
  await page.keyboard.press("Enter");
  await counts(waiting(page), 0);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Play next", "the focus is not lost with the button");
  assert.deepEqual(await statuses(server, "demo", 1), [200]);
});

test("the next answer has a body and headers", async (t) => {
  const server = await serve(t);
  const page = await choose(t, server, "demo");
  const body = page.getByLabel("Body"), kind = page.locator("#body-kind");
  assert.equal(await body.isVisible(), false);
  await page.getByText("Body and headers").click();
  const play = async () => {
    await page.getByRole("button", {name: "Play next"}).click();
    await counts(waiting(page), 1);
    const answer = await server.ask("demo"), text = await answer.text();
    await counts(waiting(page), 0);
    return {answer, text};
  };
  for (const [typed, said, type, sent] of [
    ['{"error": {"code": 1.0, "id": 12345678901234567890}}', "JSON", "application/json", '{"error":{"code":1.0,"id":12345678901234567890}}'],
    ["null", "JSON", "application/json", "null"],
    ["<h1>Down</h1>\n", "text", /^text\//, "<h1>Down</h1>\n"],
    ['{"error": ', "text", /^text\//, '{"error": '],
    ['"quoted"', "text", /^text\//, '"quoted"'],
  ]) {
    await body.fill(typed);
    await reads(kind, new RegExp(`^It is sent as ${said}\\.$`));
    const {answer, text} = await play();
    assert.equal(text, sent, typed);
    assert.match(answer.headers.get("Content-Type"), new RegExp(type), typed);
    await reads(kind, /^$/, "the form starts over");
  }
  await page.getByLabel("Status").fill("503");
  await body.fill("0123456789");
  await page.getByLabel("Headers").fill("Retry-After: 7\n\n  X-Time:10:30 \nSet-Cookie: a=1\nSet-Cookie: b=2\nContent-Type: text/x-mine\n");
  const {answer, text} = await play();
  assert.deepEqual([answer.status, text, answer.headers.get("Retry-After"), answer.headers.get("X-Time"), answer.headers.getSetCookie(), answer.headers.get("Content-Type")],
    [503, "0123456789", "7", "10:30", ["a=1", "b=2"], "text/x-mine"]);
});

test("what is wrong is said beside the form, and changes nothing", async (t) => {
  const server = await serve(t);
  const page = await choose(t, server, "demo", {foreseen: [/status of 400/]});
  const wrong = page.getByRole("group", {name: "Next answer"}).getByRole("alert");
  await page.getByText("Body and headers").click();
  for (const [label, value, words] of [
    ["Headers", "X A: 1", /"X A" is not a legal header name; write/],
    ["Headers", "Retry-After", /Retry-After: .*; write the header's value/],
    ["Status", "99", /status: .*99.*;/],
    ["Status", "often", /status: .*often/],
    ["Delay", "soon", /delay: .*soon/],
  ]) {
    await page.getByLabel(label).fill(value);
    await page.getByRole("button", {name: "Play next"}).click();
    await reads(wrong, words);
    assert.equal(await page.getByLabel(label).inputValue(), value, "what was typed is there to be mended");
    await page.getByLabel(label).fill("");
    await reads(wrong, /^$/);
  }
  assert.deepEqual((await server.plane("GET", "replies?token=demo")).replies, []);
  assert.deepEqual(await statuses(server, "demo", 1), [200]);
});

test("the user's own replies are shown as they are played, and what other clients do", async (t) => {
  const server = await serve(t, file(t, "users:\n  loop: {replies: [{status: 503, times: 2}, {times: 3}], repeat: true}\n  down: {replies: [{status: 500, times: always}]}\n"));
  const page = await choose(t, server, "loop", {foreseen: [/status of 503/]});
  await reads(page.locator("#waiting"), /503.*2 times, of the user’s own.*3 times, of the user’s own.*Then the user’s own from the start\./s);
  await server.ask("loop");
  await reads(waiting(page).first(), /503.*once/);
  await page.getByRole("button", {name: "Reset the token"}).click();
  await page.getByText("The token is as it was at the start.").waitFor();
  await reads(waiting(page).first(), /503.*2 times/);
  await counts(rows(page), 0);
  await server.plane("POST", "replies?token=loop", [{status: 502}, {fault: "stall"}]);
  await counts(waiting(page), 4);
  await server.plane("PUT", "users?token=loop", {description: "Another one", generate: {count: 3}});
  await page.getByRole("link", {name: /^loop.*Another one/}).waitFor();
  await page.getByText("A normal answer: 3 generated campaigns.").waitFor();
  await counts(waiting(page), 0);
  await page.getByRole("link", {name: /^down/}).click();
  await reads(waiting(page), /500.*always/);
  await page.getByRole("button", {name: "Reset all"}).click();
  await page.getByText("Everything is as it was at the start.").waitFor();
  await page.getByRole("link", {name: /^loop/}).click();
  await reads(waiting(page).first(), /503.*2 times/);
  await page.getByRole("button", {name: "Send a request"}).click();
  await page.locator("#r1").getByText("503").first().waitFor();
});
