// A long day: as many requests as the journal holds.
import assert from "node:assert/strict";
import {counts, holds, launch, rows, test, visit} from "./browser.mjs";
import {serve} from "./server.mjs";

const browser = await launch();

const fill = async (server, count) => {
  for (let left = count; left > 0; left -= 50) await Promise.all(Array.from({length: Math.min(left, 50)}, async () => (await server.ask("demo")).arrayBuffer()));
};

test("the earlier requests are shown when they are asked for", async (t) => {
  const server = await serve(t);
  await fill(server, 70);
  const page = await visit(t, browser, server);
  await counts(rows(page), 50);
  await server.ask("single");
  await page.getByRole("link", {name: /^200 GET .* single/}).waitFor();
  const earlier = page.getByRole("link", {name: "Show up to 1,000"}); // what is new does not take it away
  await earlier.click();
  await holds(page, () => document.querySelectorAll("#requests > li").length === 71);
  assert.deepEqual(await page.locator("#requests > li").evaluateAll((all) => all.map((row) => row.id)), Array.from({length: 71}, (_, i) => "r" + (71 - i)));
  await earlier.waitFor({state: "detached"});
});

test("1,000 requests are shown, scrolled through, and follow what arrives", async (t) => {
  const server = await serve(t);
  // bytes is how much is loaded until the page shows what the server knows.
  const bytes = async (path) => {
    const page = await visit(t, browser, server, {path});
    const loaded = await page.evaluate(() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((sum, entry) => sum + entry.encodedBodySize, 0));
    assert.ok(loaded > 20_000, "all is counted");
    await page.close();
    return loaded;
  };
  t.diagnostic(`the page at the start: ${await bytes("")} bytes`);
  await fill(server, 1000);
  for (const path of ["", "?token=many"]) {
    const full = await bytes(path);
    t.diagnostic(`${path || "the page"} with 50 requests: ${full} bytes`);
    assert.ok(full < 60 * 1024, `${path} has ${full} bytes`);
  }

  const usual = await visit(t, browser, server);
  const paint = (page) => page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime).then(async (at) => Math.round(await at.jsonValue()));
  t.diagnostic(`first paint with 50 requests: ${await paint(usual)} ms`);
  await usual.close();

  const page = await visit(t, browser, server, {path: "?rows=1000"});
  t.diagnostic(`first paint with 1,000: ${await paint(page)} ms`);
  await counts(rows(page), 1000);
  await page.evaluate(() => {
    window.frames_ = [];
    let last = performance.now();
    const frame = (now) => {
      frames_.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await page.mouse.move(800, 500);
  const bottom = () => page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 2);
  for (let turns = 0; !(await bottom()); turns++) {
    assert.ok(turns < 300, "the end is reached");
    await page.mouse.wheel(0, 1500);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  const frames = await page.evaluate(() => frames_.slice(1).sort((a, b) => a - b));
  t.diagnostic(`${frames.length} frames while scrolling: half within ${frames[frames.length >> 1].toFixed(1)} ms, the longest ${frames.at(-1).toFixed(1)} ms`);

  // Where one reads stays in place while more arrive, and the oldest go.
  await page.getByRole("link", {name: /Skip to/}).focus();
  await page.evaluate(() => scrollTo(0, 20_000));
  await fill(server, 20);
  await holds(page, () => document.getElementById("r1020") && !document.getElementById("r20"));
  await counts(rows(page), 1000);
});
