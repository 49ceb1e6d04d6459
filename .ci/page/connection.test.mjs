// The server goes away and comes back.
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
