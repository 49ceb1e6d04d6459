// A page of another origin than the server's, as an app has it.
import {createServer} from "node:http";
import {tab} from "./browser.mjs";

// origin serves an empty page by some name for this machine until the test ends,
// and returns where.
export async function origin(t, name = "127.0.0.1") {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end('<!DOCTYPE html><title>an app</title><link rel="icon" href="data:,">');
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${name}:${server.address().port}`;
}

// app opens a page of another origin.
export async function app(t, browser, where) {
  const page = await tab(t, browser);
  await page.goto((where ?? await origin(t)) + "/");
  return page;
}
