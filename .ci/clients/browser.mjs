// A page of another origin, in a real browser, meets the requests that stand on
// standard input as JSON, and prints what came of each.
import {readFileSync} from "node:fs";
import {createServer} from "node:http";
import {chromium} from "playwright-core";
import {meet} from "./meet.mjs";

const {base, requests} = JSON.parse(readFileSync(0, "utf8"));
const page = createServer((_, response) => {
  response.setHeader("Content-Type", "text/html");
  response.end("<!DOCTYPE html><title>an app</title>");
});
await new Promise((ready) => page.listen(0, "127.0.0.1", ready));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${page.address().port}/`);
  for (const request of requests) {
    console.log(await tab.evaluate(`(${meet})(${JSON.stringify(base)}, ${JSON.stringify(request)})`));
  }
} finally {
  await browser.close();
  page.close();
}
