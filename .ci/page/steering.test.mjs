// A user is chosen, and told what to answer next.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {counts, has, holds, launch, reads, rows, test, visit} from "./browser.mjs";
import {app} from "./origin.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

// choose opens the page, and follows the link of a user as one who sees it does.
async function choose(t, server, token, options) {
  const page = await visit(t, browser, server, options);
  await page.getByRole("navigation", {name: "Users"}).getByRole("link", {name: new RegExp("^" + token + "\\b")}).click();
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

test("what is copied gives the campaigns, in a shell and in a page of another origin", async (t) => {
  const server = await serve(t);
  const page = await choose(t, server, "demo", {permissions: ["clipboard-read", "clipboard-write"]});
  const copied = async (name) => {
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await page.getByRole("button", {name, exact: true}).click();
    await holds(page, async () => await navigator.clipboard.readText() !== "");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.equal(JSON.parse(execFileSync("sh", ["-c", await copied("Copy curl") + " -sS"])).campaigns.length, 8);
  assert.equal(await copied("Copy token"), "demo");
  assert.equal(await copied("Copy the base URL"), server.base);
  const snippet = await copied("Copy fetch");
  const other = await app(t, browser);
  const {campaigns} = await other.evaluate(`(async () => ${snippet})()`);
  assert.equal(campaigns.length, 8);
});

test("what is copied holds for every token", async (t) => {
  const server = await serve(t);
  const token = `it's"\\$HOME</script>`;
  await server.plane("PUT", "users?token=" + encodeURIComponent(token), {generate: {count: 4}});
  const page = await visit(t, browser, server, {permissions: ["clipboard-read", "clipboard-write"]});
  await page.getByRole("link", {name: "it's"}).click();
  await page.getByRole("heading", {name: "it's"}).waitFor();
  await page.getByRole("button", {name: "503 once"}).click();
  await waiting(page).getByText("503").waitFor();
  await page.getByRole("button", {name: "Back to normal"}).click();
  await holds(page, () => !document.querySelector("#waiting li"));
  await page.getByRole("button", {name: "Copy curl"}).click();
  await page.getByText("Copied.").waitFor();
  assert.equal(JSON.parse(execFileSync("sh", ["-c", await page.evaluate(() => navigator.clipboard.readText()) + " -sS"])).campaigns.length, 4);
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
    await holds(page, () => document.querySelectorAll("#waiting li").length === 1);
    assert.ok(await met(), name);
    await holds(page, () => document.querySelectorAll("#waiting li").length === 0);
  }
  assert.deepEqual(await statuses(server, "demo", 1), [200]);
});

test("the form plays a status twice, and the list shrinks as it is played", async (t) => {
  const server = await serve(t);
  const page = await choose(t, server, "demo");
  await page.getByLabel("Status").fill("503");
  await page.getByLabel("For").selectOption("2 times");
  await page.getByRole("button", {name: "Play next"}).click();
  await page.getByRole("heading", {name: "Waiting to be played"}).waitFor();
  await reads(waiting(page), /503.*2 times/);
  await page.getByRole("link", {name: /^demo 1 waiting/}).waitFor();
  assert.deepEqual(await statuses(server, "demo", 1), [503]);
  await holds(page, () => /503.*once/.test(document.querySelector("#waiting li")?.textContent));
  await has(waiting(page), "aria-current", "step", "the one that is being played");
  assert.deepEqual(await statuses(server, "demo", 2), [503, 200]);
  await holds(page, () => !document.querySelector("#waiting li"));
});

test("an answer without a body is played, and shown with its cookies", async (t) => {
  const server = await serve(t);
  const page = await choose(t, server, "demo");
  await page.getByLabel("Status").fill("204");
  await page.getByRole("button", {name: "Play next"}).click();
  await reads(waiting(page), /204/);
  await server.plane("POST", "replies?token=demo", [{status: 304, headers: {ETag: '"1"', "Set-Cookie": ["b=2", "a=1"]}}]);
  assert.deepEqual(await statuses(server, "demo", 3), [204, 304, 200]);
  await counts(rows(page), 3);
  await page.getByRole("link", {name: /^304 GET/}).click();
  const opened = page.locator("#r2");
  await opened.getByText("304 Not Modified.").waitFor();
  await reads(opened, /Set-Cookie\s+b=2\s+Set-Cookie\s+a=1/);
  await counts(opened.getByRole("heading", {name: "Body"}), 0);
});

test("the form plays a delay, a fault, and whatever is to hold always, until it is back to normal", async (t) => {
  const server = await serve(t);
  const page = await choose(t, server, "demo");
  const play = async (count) => {
    await page.keyboard.press("Enter"); // in a field, as those do who have just typed
    await holds(page, (count) => document.querySelectorAll("#waiting li").length === count, count);
  };
  await page.getByLabel("Delay").fill("600ms");
  await play(1);
  const begin = performance.now();
  assert.deepEqual(await statuses(server, "demo", 1), [200]);
  assert.ok(performance.now() - begin >= 590);
  await holds(page, () => !document.querySelector("#waiting li"));

  await page.getByLabel("Delay").fill("");
  await page.getByLabel("Fault").selectOption("reset");
  await page.getByRole("button", {name: "Play next"}).click();
  await waiting(page).getByText("reset").waitFor();
  assert.deepEqual(await statuses(server, "demo", 2), ["broken", 200]);
  await holds(page, () => !document.querySelector("#waiting li"));

  await page.getByLabel("Fault").selectOption("none");
  await page.getByLabel("For").selectOption("always");
  await page.getByLabel("Status").fill("418");
  await play(1);
  await reads(waiting(page), /418.*always/);
  assert.deepEqual(await statuses(server, "demo", 3), [418, 418, 418]);
  await page.getByRole("button", {name: "Back to normal"}).click();
  await holds(page, () => !document.querySelector("#waiting li"));
  assert.deepEqual(await statuses(server, "demo", 1), [200]);
});

test("the next answer has a body and headers", async (t) => {
  const server = await serve(t);
  const page = await choose(t, server, "demo");
  const body = page.getByLabel("Body"), headers = page.getByLabel("Headers"), kind = page.locator("#body-kind");
  assert.equal(await body.isVisible(), false);
  await page.getByText("Body and headers").click();
  const play = async () => {
    await page.getByRole("button", {name: "Play next"}).click();
    await counts(waiting(page), 1);
    const answer = await server.ask("demo");
    const text = await answer.text();
    await counts(waiting(page), 0);
    return {answer, text};
  };
  for (const [typed, said, type, sent] of [
    ['{"error": {"code": 1.0, "id": 12345678901234567890}}', "It is sent as JSON.", "application/json", '{"error":{"code":1.0,"id":12345678901234567890}}'],
    ["[]", "It is sent as JSON.", "application/json", "[]"],
    ["null", "It is sent as JSON.", "application/json", "null"],
    ["<h1>Down</h1>\n", "It is sent as text.", /^text\//, "<h1>Down</h1>\n"],
    ['{"error": ', "It is sent as text.", /^text\//, '{"error": '],
    ['"quoted"', "It is sent as text.", /^text\//, '"quoted"'],
  ]) {
    await body.fill(typed);
    await reads(kind, new RegExp(`^${said}$`));
    const {answer, text} = await play();
    assert.equal(text, sent, typed);
    assert.match(answer.headers.get("Content-Type"), new RegExp(type), typed);
    await reads(kind, /^$/, "the form starts over");
    assert.equal(await body.inputValue(), "");
  }
  await page.getByLabel("Status").fill("503");
  await body.fill("0123456789");
  await headers.fill("Retry-After: 7\n\n  X-Time:10:30 \nSet-Cookie: a=1\nSet-Cookie: b=2\nContent-Type: text/x-mine\n");
  const {answer, text} = await play();
  assert.deepEqual([answer.status, text, answer.headers.get("Retry-After"), answer.headers.get("X-Time"), answer.headers.getSetCookie(), answer.headers.get("Content-Type")],
    [503, "0123456789", "7", "10:30", ["a=1", "b=2"], "text/x-mine"]);
  assert.equal(await headers.inputValue(), "");
  assert.deepEqual(await statuses(server, "demo", 1), [200]);
});

test("what is wrong is said beside the form, and changes nothing", async (t) => {
  const server = await serve(t);
  const page = await choose(t, server, "demo", {foreseen: [/status of 400/]});
  const form = page.getByRole("group", {name: "Next answer"});
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
    await form.getByRole("alert").getByText(words).waitFor();
    assert.equal(await page.getByLabel(label).inputValue(), value, "what was typed is there to be mended");
    await page.getByLabel(label).fill("");
  }
  assert.deepEqual((await server.plane("GET", "replies?token=demo")).queue ?? [], []);
  assert.deepEqual(await statuses(server, "demo", 1), [200]);
  await page.getByLabel("Status").fill("500");
  await page.getByRole("button", {name: "Play next"}).click();
  await waiting(page).getByText("500").waitFor();
  assert.equal(await form.getByRole("alert").innerText(), "", "what was wrong is no more");
});

test("what waits behind others is said to, and the form starts over", async (t) => {
  const server = await serve(t);
  const page = await choose(t, server, "demo");
  const play = page.getByRole("button", {name: "Play next"});
  const said = page.locator("#notice");
  await page.getByLabel("Status").fill("503");
  await page.getByLabel("For").selectOption("2 times");
  await play.click();
  await reads(said, /^It is played next\.$/);
  await holds(page, () => document.querySelector("#next [name=status]").value === "" && document.querySelector("#next [name=for]").value === "1");
  await page.getByRole("button", {name: "401 once"}).click();
  await reads(said, /^It waits behind 1 other reply\.$/);
  await page.getByLabel("Delay").fill("1ms");
  await play.click();
  await reads(said, /^It waits behind 2 other replies\.$/);
  assert.deepEqual(await statuses(server, "demo", 5), [503, 503, 401, 200, 200]);
});

test("what is played among replies that are played always is said to be", async (t) => {
  const server = await serve(t);
  const page = await choose(t, server, "demo");
  const said = page.locator("#notice");
  // The rules are the server's: this is what it answers by them.
  const queue = [];
  await page.route("**/_fake/replies?token=demo", async (route) => {
    const sent = route.request().postDataJSON();
    if (sent?.times === "always") queue.splice(0, queue.length, ...queue.filter(({times}) => times !== "always"), sent);
    else if (sent) queue.splice(queue.findIndex(({times}) => times === "always"), 0, sent);
    await route.fulfill({json: {replies: queue.map((reply) => ({reply, played: 0, summary: "status " + reply.status, enqueued: true}))}});
  });
  const play = async (status, times) => {
    await page.getByLabel("Status").fill(status);
    await page.getByLabel("For").selectOption(times);
    await page.getByRole("button", {name: "Play next"}).click();
  };
  await play("500", "always");
  await reads(said, /^It is played next\.$/);
  await play("501", "once");
  await reads(said, /^It is played next\. Then the one that is played always goes on\.$/);
  await play("502", "once");
  await reads(said, /^It waits behind 1 other reply\. Then the one that is played always goes on\.$/);
  await play("503", "always");
  await reads(said, /^It waits behind 2 other replies\. It takes the place of the one that was played always\.$/);
  await counts(waiting(page), 3);
  assert.deepEqual(await waiting(page).allInnerTexts(), ["status 501 once", "status 502 once", "status 503 always"]);
});

test("what was said before does not stand beside what is wrong, nor that beside what is mended", async (t) => {
  const server = await serve(t);
  const page = await choose(t, server, "demo", {foreseen: [/status of 400/]});
  const wrong = page.locator("#wrong");
  await page.clock.install(); // nothing goes away by itself
  await page.getByRole("button", {name: "503 once"}).click();
  await reads(page.locator("#notice"), /503 once/);
  await page.getByLabel("Status").fill("99");
  await page.getByRole("button", {name: "Play next"}).click();
  await reads(wrong, /99/);
  assert.equal(await page.locator("#notice").innerText(), "");
  await page.getByLabel("Status").fill("499");
  await reads(wrong, /^$/);
});

test("in the view of one token its requests alone are cleared", async (t) => {
  const server = await serve(t);
  await statuses(server, "demo", 2);
  await statuses(server, "single", 1);
  const page = await choose(t, server, "demo");
  await counts(rows(page), 2);
  await page.getByRole("button", {name: "Clear demo", exact: true}).click();
  await page.getByRole("button", {name: "Now"}).click();
  await counts(rows(page), 0);
  assert.deepEqual((await server.plane("GET", "requests")).requests.map(({token}) => token), ["single"]);
  await page.getByRole("link", {name: "all", exact: true}).click();
  await reads(rows(page), /single/);
});

test("the user's own replies are shown as they are played", async (t) => {
  const server = await serve(t);
  const page = await choose(t, server, "flaky");
  await holds(page, () => /503.*2 times, of the user’s own.*3 times, of the user’s own/.test(document.querySelector("#waiting").textContent));
  await server.ask("flaky");
  await holds(page, () => /503.*once/.test(document.querySelector("#waiting li").textContent));
  await page.getByRole("button", {name: "Reset the token"}).click();
  await page.getByRole("button", {name: "Now"}).click();
  await holds(page, () => /503.*2 times/.test(document.querySelector("#waiting li").textContent));
});

test("what was put back by another client is shown", async (t) => {
  const server = await serve(t);
  const page = await choose(t, server, "demo");
  await server.plane("POST", "replies?token=demo", [{status: 502}, {fault: "stall"}]);
  await holds(page, () => document.querySelectorAll("#waiting li").length === 2);
  await server.plane("DELETE", "replies?token=demo");
  await holds(page, () => !document.querySelector("#waiting li"));
  await server.plane("PUT", "users?token=demo", {description: "Another one", generate: {count: 3}});
  await page.getByRole("link", {name: /^demo.*Another one/}).waitFor();
  await page.getByText("A normal answer: 3 generated campaigns").waitFor();
  await server.plane("PUT", "users?token=new", {description: "A new one"});
  await page.getByRole("link", {name: /^new/}).waitFor();
  await server.plane("DELETE", "users?token=new");
  await page.getByRole("link", {name: /^new/}).waitFor({state: "detached"});
});

test("a token is reset, the journal cleared, and everything put back", async (t) => {
  const server = await serve(t);
  await server.plane("PUT", "users?token=mine", {});
  await statuses(server, "demo", 2);
  await statuses(server, "single", 1);
  const page = await choose(t, server, "demo");
  await page.getByRole("button", {name: "503 once"}).click();
  await holds(page, () => document.querySelectorAll("#waiting li").length === 1);

  await page.getByRole("link", {name: "all", exact: true}).click();
  await page.getByRole("button", {name: "Reset the token"}).click();
  await page.getByRole("button", {name: "Now"}).click();
  await page.getByRole("status").getByText("The token is as it was at the start.").waitFor();
  await holds(page, () => !document.querySelector("#waiting li") && document.querySelectorAll("#requests > li").length === 1);
  await reads(rows(page), /single/);
  assert.deepEqual(await statuses(server, "demo", 1), [200]);
  await holds(page, () => document.querySelectorAll("#requests > li").length === 2);

  await page.getByRole("button", {name: "Clear"}).click();
  await page.getByRole("button", {name: "Now"}).click();
  await page.getByText("Nothing has arrived yet.").waitFor();
  await holds(page, () => document.querySelectorAll("#requests > li").length === 0);
  assert.equal((await server.plane("GET", "requests")).requests.length, 0);
  await page.getByRole("link", {name: /^mine/}).waitFor();

  await server.ask("demo");
  await rows(page).first().waitFor();
  await page.getByRole("button", {name: "Reset all"}).click();
  await page.getByRole("button", {name: "Now"}).click();
  await page.getByText("Nothing has arrived yet.").waitFor();
  await page.getByRole("link", {name: /^mine/}).waitFor({state: "detached"});
  await server.ask("single");
  await rows(page).first().waitFor();
  await has(page.locator("#requests > li"), "id", "r1", "numbers start over");
});

test("a token that nobody has can be looked at and steered, unless it is rejected", async (t) => {
  const server = await serve(t);
  await server.ask("anybody");
  const page = await visit(t, browser, server);
  await rows(page).first().click();
  await page.getByRole("link", {name: "User anybody"}).click();
  await page.getByRole("heading", {name: "anybody"}).waitFor();
  await page.getByText("No user has this token: 10 generated campaigns, always the same.").waitFor();
  const strict = await serve(t, "--unknown-tokens", "reject");
  const other = await visit(t, browser, strict, {path: "?token=anybody"});
  await other.getByText("No user has this token.", {exact: true}).waitFor();
  await counts(other.getByRole("button", {name: "Play next"}), 0);
});
