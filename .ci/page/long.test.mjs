// What is long is shortened until it is asked for, and narrow windows have room for it.
import assert from "node:assert/strict";
import {becomes, launch, reads, rows, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

const login = ["eyJhbGciOiJSUzI1NiJ9", "c29tZWJvZHkg".repeat(70), "c2lnbmF0dXJl"].join("."); // as a JWT
const shortLogin = login.slice(0, 14) + "…" + login.slice(-9);
const ofLogin = "?token=" + encodeURIComponent(login);
const query = "?page=1" + "&filter=spring".repeat(60) + "&last=seen";
const description = "A description that says a lot. ".repeat(40);

// longestWord is the length of the longest word that is shown. What is not in the window is
// counted, too.
async function longestWord(page) {
  const text = await page.locator("body").evaluate((body) => {
    for (const row of body.querySelectorAll("#requests > li")) row.style.contentVisibility = "visible";
    return body.innerText;
  });
  return Math.max(...text.split(/\s+/).map((word) => word.length));
}

// longestAllowed is what is left of a long value in the messages of the server.
const longestAllowed = 210;

// crowded starts a server that has seen what is long, and shows it.
async function crowded(t, options) {
  const server = await serve(t);
  await server.plane("PUT", "users?token=wordy", {description});
  const headers = {Authorization: "Bearer " + login, "X-Trace": "v".repeat(1500)};
  await fetch(server.base + "/user/campaigns" + query, {headers});
  await fetch(server.base + "/user/nothing", {headers});
  const page = await visit(t, browser, server, {path: ofLogin + "&request=1", ...options});
  await page.getByRole("heading", {name: "Answered"}).waitFor();
  return {server, page};
}

for (const width of [1280, 320]) {
  test(`at ${width} px nothing that is long fills the page`, async (t) => {
    const {page} = await crowded(t, {viewport: {width, height: 800}});
    await page.getByRole("link", {name: /^404/}).click();
    await page.getByRole("heading", {name: "Matched nothing"}).waitFor();
    assert.ok(await longestWord(page) < longestAllowed, "no word has more than a few lines");
    await page.getByRole("heading", {name: shortLogin}).waitFor();
    const header = page.getByText("Authorization", {exact: true}).first().locator("..");
    assert.ok((await header.boundingBox()).height < 130, "the header has few lines");
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(isTooWide, false, "nothing is to be scrolled sideways");

    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", {name: "Delete requests"}).click();
    await page.getByRole("heading", {name: /^Nothing of eyJ/}).waitFor();
    assert.ok(await longestWord(page) < longestAllowed, "nor as long as nothing has arrived");
  });
}

test("what is shortened is there as a whole when it is asked for, and in what is copied", async (t) => {
  const {server, page} = await crowded(t, {permissions: ["clipboard-read", "clipboard-write"]});
  await page.getByText(`All ${login.length} characters`).click();
  await page.getByText(login, {exact: true}).waitFor();
  const detail = page.locator("#r1 .detail");
  await detail.getByText(/^Bearer eyJ/).first().click();
  await reads(detail, new RegExp("Bearer " + login.replaceAll(".", "\\.")));
  await detail.getByText(/^GET /).first().click();
  await reads(detail, /&last=seen\n/);

  const copies = {
    "Copy token": login,
    "Copy curl": `curl -H 'Authorization: Bearer ${login}' '${server.base}/user/campaigns'`,
    "Copy as curl": `curl -H 'Authorization: Bearer ${login}' '${server.base}/user/campaigns${query}'`,
  };
  for (const [name, text] of Object.entries(copies)) {
    await page.getByRole("button", {name, exact: true}).click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await becomes(copied, (got) => assert.equal(got, text, name));
  }

  const filter = page.getByRole("searchbox", {name: "Filter the users"});
  await filter.fill("wordy");
  await page.getByRole("link", {name: /^wordy .*…$/}).click();
  await page.locator("#summary summary").click();
  await reads(page.locator("#summary"), new RegExp(description.trim()));

  await server.plane("PUT", "users" + ofLogin + "&anew=false&like=demo");
  await filter.fill(login.slice(40, 80)); // of which the list shows nothing
  await page.getByRole("navigation").getByRole("link", {name: /^eyJ.* like demo: /}).waitFor();
});

test("whoever chooses a user by the keyboard goes on in its panel", async (t) => {
  const page = await visit(t, browser, await serve(t));
  const panel = page.locator("#user");
  const isInPanel = () => panel.evaluate((element) => element.contains(document.activeElement));
  for (const name of [/^single/, /^many/, /^many/]) { // and if it is chosen already
    const user = page.getByRole("navigation").getByRole("link", {name});
    await user.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assert.ok(await isInPanel());
  }
  await page.keyboard.press("Enter"); // on the link that closes it
  const focused = page.locator(":focus");
  await reads(focused, /^many/);
});

test("Enter in the filter chooses the token that is typed, or else the first user found", async (t) => {
  const server = await serve(t);
  await server.plane("PUT", "users?token=alone", {description: "Before the one named other"});
  await server.plane("PUT", "users?token=other", {});
  const page = await visit(t, browser, server);
  const filter = page.getByRole("searchbox", {name: "Filter the users"});
  await filter.press("Enter"); // which chooses nobody, since nothing is typed
  const choices = [["alo", /^alone$/], ["other", /^other$/], ["my-own", /^my-own$/]];
  for (const [typed, token] of choices) {
    await filter.fill(typed);
    await filter.press("Enter");
    const title = page.locator("#user-title");
    await reads(title, token);
    assert.ok(await title.evaluate((element) => element === document.activeElement));
  }
});

test("the list of users shows the one that is chosen, and the page stays where it is", async (t) => {
  const page = await visit(t, browser, await serve(t), {path: "?token=progress"});
  const list = await page.getByRole("navigation").boundingBox();
  const user = await page.getByRole("link", {name: /^progress/}).boundingBox();
  assert.ok(user.y + user.height < list.y + list.height);
  assert.equal(await page.evaluate(() => scrollY), 0);
});

test("times are said to be of the reader's zone where they stand", async (t) => {
  const server = await serve(t);
  await server.ask("demo");
  for (const [timezoneId, zone] of Object.entries({"UTC": "UTC", "Asia/Kolkata": "GMT+5:30"})) {
    const page = await visit(t, browser, server, {timezoneId});
    const time = rows(page).first().locator("time");
    const shown = await time.innerText();
    const at = new Date(await time.getAttribute("datetime"));
    const clock = at.toLocaleTimeString("en-GB", {timeZone: timezoneId});
    assert.match(shown, new RegExp(`^${clock}\\.\\d{3} ${zone.replace("+", "\\+")}$`));
    assert.match(await time.getAttribute("title"), / UTC$/);
  }
});
