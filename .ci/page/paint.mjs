// Prints the milliseconds until a new browser paints something of the page at a URL,
// for .ci/figures.
import {chromium} from "playwright-core";

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"],
});
const page = await browser.newPage();
await page.goto("data:text/html,<p>."); // so that the browser itself has started
await page.goto(process.argv[2]);
const paint = await page.waitForFunction(() => performance.getEntriesByName("first-paint")[0]?.startTime);
console.log(await paint.jsonValue());
await browser.close();
