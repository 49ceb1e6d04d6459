// Chromium, and what a page may do in it.
import assert from "node:assert/strict";
import {after, test as task} from "node:test";
import {chromium} from "playwright-core";

// patience is how many milliseconds a page may take for one step. It is long, because the machine
// may do much else at the same time.
const patience = 100_000;

// launch starts a browser that is closed when the tests of a script are over. It is Chromium
// without its windows, which takes half of the processor's time.
export async function launch(...args) {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium-headless-shell",
    args: [
      "--no-sandbox",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...args,
    ],
  });
  after(() => browser.close());
  return browser;
}

// test runs a task, which is over after ten minutes at most, so that a page that
// never does what it should is a failure too.
export function test(name, run) {
  return task(name, {timeout: 600_000}, run);
}

// tab opens an empty tab that shares nothing with others, and closes it when the
// test ends.
export async function tab(t, browser, options) {
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
  t.after(() => context.close());
  context.setDefaultTimeout(patience);
  return context.newPage();
}

// visit opens the page of a server in a tab of its own. When the test ends the tab
// must have run without complaint, and have asked nobody but that server: what is
// foreseen is named by regular expressions. Requests may fail because an address of the machine
// came or went, as with containers: the page asks again.
export async function visit(t, browser, server, {path = "", foreseen = [], ...options} = {}) {
  const page = await tab(t, browser, options);
  const complaints = [];
  page.on("console", (message) => {
    const isComplaint = ["error", "warning"].includes(message.type());
    if (!isComplaint) return;
    complaints.push(`the console says: ${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(`the script fails: ${error}`));
  page.on("requestfailed", (request) => {
    complaints.push(`failed: ${request.url()}: ${request.failure()?.errorText}`);
  });
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));

  server.leave.push(async () => {
    const known = [...foreseen, /ERR_NETWORK_CHANGED/];
    const isForeseen = (complaint) => known.some((pattern) => pattern.test(complaint));
    assert.deepEqual(complaints.filter((complaint) => !isForeseen(complaint)), []);
    const isOwn = (url) => url.startsWith(server.origin + "/") || url.startsWith("data:");
    assert.deepEqual(asked.filter((url) => !isOwn(url)), [], "others were asked");
    await page.context().close();
  });
  await page.goto(server.page + path);
  await page.getByText("live", {exact: true}).waitFor();
  return page;
}

// rows are the links of the requests, the latest first.
export function rows(page) {
  return page.locator("#requests").getByRole("link", {name: /\/user\//});
}

// becomes waits until what is read passes a check, and fails as the check does.
export async function becomes(read, check) {
  for (const until = Date.now() + patience; ;) {
    try {
      return check(await read());
    } catch (error) {
      if (Date.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

// reads waits until the text of an element matches a pattern.
export function reads(element, pattern) {
  return becomes(() => element.innerText(), (text) => assert.match(text, pattern));
}

// counts waits until there are so many of an element.
export function counts(element, number, why) {
  return becomes(() => element.count(), (count) => assert.equal(count, number, why));
}
