// The server goes away and comes back, or refuses what it is asked for.
import {counts, launch, reads, rows, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

test("a server that is gone is said to be, and another in its place is followed", async (t) => {
  const server = await serve(t);
  for (const token of ["demo", "demo", "demo"]) await server.ask(token);
  const page = await visit(t, browser, server, {foreseen: [/ERR_/]});
  const lost = page.getByRole("alert").filter({hasText: "The server does not answer."});
  await counts(lost, 0);
  await server.stop();
  await lost.waitFor();
  await counts(rows(page), 3, "what was shown stays");
  await page.getByRole("button", {name: "Reset all"}).click();
  await reads(page.locator("#notice"), /^The server does not answer\.$/);

  const again = await serve(t, "--listen", server.host);
  await page.getByText("live", {exact: true}).waitFor();
  await counts(lost, 0);
  await counts(rows(page), 0, "nothing is left of the server before");
  await again.ask("single");
  await reads(rows(page).first(), /single/);
});

test("a server that refuses what it is asked for is not said to be gone", async (t) => {
  const page = await visit(t, browser, await serve(t), {foreseen: [/status of 400/]});
  const alert = page.locator("#lost");
  const refusal = {status: 400, body: '{"detail": "The limit is odd."}'};
  await page.route("**/_fake/users", (route) => route.fulfill(refusal));
  await page.getByRole("button", {name: "Reset all"}).click();
  await reads(alert, /^The limit is odd\. It was asked for \/_fake\/users\. What is shown /);
  await page.unroute("**/_fake/users");
  await reads(alert, /^$/);
});

test("what can be no token is not asked for, and it is said what to write", async (t) => {
  const server = await serve(t);
  await server.ask("demo");
  const page = await visit(t, browser, server, {path: "?token=a%20b"});
  await counts(rows(page), 1);
  await reads(page.locator("#missing"),
    /^No client can send the token a b of this URL: write visible ASCII characters without spaces\.$/);
  const nobody = page.locator("#nobody");
  for (const typed of ["my own", "ü"]) {
    await page.getByRole("searchbox", {name: "Filter the users"}).fill(typed);
    await reads(nobody, new RegExp(`^No user has ${typed}, .*: write visible ASCII characters`));
    await counts(nobody.getByRole("link"), 0);
  }
  await rows(page).first().click();
  await reads(page.locator("#missing"), /^$/);
});
