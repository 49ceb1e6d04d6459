// Makes the picture of the README: an app with two tokens, and the page beside it. What the app
// asks for beside its campaigns is passed on to an upstream.
import {once} from "node:events";
import {writeFileSync} from "node:fs";
import {createServer} from "node:http";
import {launch, rows, tab, test} from "./browser.mjs";
import {serve} from "./server.mjs";

const app = `<!DOCTYPE html><meta charset="utf-8"><title>Campaigns</title>
<style>
  body {font: 15px/1.4 system-ui, sans-serif; margin: 14px 18px; color: #1f2430}
  h1 {font-size: 21px; margin: 0 0 8px}
  ul {list-style: none; margin: 0; padding: 0}
  li {display: flex; justify-content: space-between; padding: 6px 0; border-top: 1px solid #e4e7ee}
  small, p {color: #667085}
  p {margin: -6px 0 10px}
  .error {color: #1f2430; margin: 0; background: #fff1f0; border: 1px solid #f3b7b1; border-radius: 6px; padding: 12px 14px}
  button {font: inherit; margin-top: 8px; display: block; padding: 3px 12px}
</style>
<h1>Campaigns</h1><p></p><main></main>
<script type="module">
  const token = new URLSearchParams(location.search).get("token");
  const headers = {Authorization: "Bearer " + token};
  const profile = await fetch("http://127.0.0.1:8642/api/profile", {headers});
  const {name} = await profile.json();
  document.querySelector("p").textContent = "of " + name;
  const answer = await fetch("http://127.0.0.1:8642/api/user/campaigns", {headers});
  const main = document.querySelector("main");
  if (answer.ok) {
    const {campaigns} = await answer.json();
    const items = campaigns.map((c) => "<li>" + c.name + " <small>" + c.status + "</small></li>");
    main.innerHTML = "<ul>" + items.join("") + "</ul>";
  } else {
    main.innerHTML = "<p class=error>The service answers " + answer.status +
      ". <button>Try again</button></p>";
  }
</script>`;

const stageStyle = `
  body {margin: 0; background: #dfe4f2; font: 14px system-ui, sans-serif; color: #333b52}
  figure {
    position: absolute; margin: 0; border-radius: 8px; overflow: hidden; background: #fff;
    box-shadow: 0 2px 10px #5a678a66
  }
  figcaption {background: #eef1f8; padding: 7px 12px; border-bottom: 1px solid #d5daea}
  img {display: block}
`;

// stage lays out windows: what stands above each, its place, and what is in it.
function stage(windows) {
  const figures = windows.map(({title, left, top, shot}) => {
    const source = "data:image/png;base64," + shot.toString("base64");
    return `<figure style="left: ${left}px; top: ${top}px">` +
      `<figcaption>${title}</figcaption><img src="${source}"></figure>`;
  });
  return `<!DOCTYPE html><meta charset="utf-8"><style>${stageStyle}</style>` + figures.join("");
}

// site answers all requests with a text until the test ends, and returns its port.
async function site(t, type, text) {
  const server = createServer((_, answer) => {
    answer.setHeader("Content-Type", type);
    answer.end(text);
  });
  server.listen(0, "127.0.0.1");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return server.address().port;
}

test("the picture is made", async (t) => {
  const upstream = await site(t, "application/json", JSON.stringify({name: "Sam Rivera"}));
  const server = await serve(t, "--upstream", `http://127.0.0.1:${upstream}`);
  const appPort = await site(t, "text/html", app);

  // The picture shows the addresses that people see, whatever ports are free.
  const addresses = [
    `MAP 127.0.0.1:8642 ${server.host}`,
    `MAP localhost:5173 127.0.0.1:${appPort}`,
  ];
  const browser = await launch(`--host-resolver-rules=${addresses.join(", ")}`);
  const open = async (url, width, height, deviceScaleFactor = 1) => {
    const page = await tab(t, browser, {
      viewport: {width, height},
      deviceScaleFactor,
      colorScheme: "light",
      timezoneId: "UTC",
      locale: "en-GB",
    });
    // Times differ from run to run, so those of the picture are made up.
    await page.route(/\/_fake\/requests/, async (route) => {
      const own = route.request().url().replace("127.0.0.1:8642", server.host);
      const response = await route.fetch({url: own});
      const list = await response.json();
      for (const request of list.requests) {
        request.at = `2026-03-05T09:30:${10 + request.number}.250Z`;
        request.duration_ms = request.passed_on ? 48 : 1.2;
        request.reason = request.reason.replace(`127.0.0.1:${upstream}`, "staging.example.com");
      }
      await route.fulfill({response, json: list});
    });
    // The page asks again when the server ends, and nobody would answer.
    server.leave.push(() => page.unrouteAll({behavior: "ignoreErrors"}));
    server.leave.push(() => page.context().close());
    await page.goto(url);
    return page;
  };

  const demo = await open("http://localhost:5173/?token=demo", 330, 396);
  await demo.getByRole("listitem").first().waitFor();
  // A path that is wrong, the first answer, and the one that the app shows.
  await fetch(server.origin + "/api/user/campaigns/", {headers: {Authorization: "Bearer flaky"}});
  await server.ask("flaky");
  const flaky = await open("http://localhost:5173/?token=flaky", 330, 200);
  await flaky.getByText("The service answers 503.").waitFor();
  const page = await open("http://127.0.0.1:8642/?token=flaky", 1205, 872, 0.75);
  await page.getByText("live", {exact: true}).waitFor();
  await rows(page).first().waitFor();
  await page.getByRole("heading", {name: "flaky"}).evaluate((heading) => {
    scrollTo(0, heading.getBoundingClientRect().top - 34);
  });
  await page.getByRole("navigation").evaluate((list) => list.scrollTo(0, 0));

  const show = await open("about:blank", 1280, 720);
  await show.setContent(stage([
    {
      title: "Your app, with the token <b>demo</b>",
      left: 16,
      top: 16,
      shot: await demo.screenshot(),
    },
    {
      title: "Your app, with the token <b>flaky</b>",
      left: 16,
      top: 470,
      shot: await flaky.screenshot(),
    },
    {
      title: "<b>campaignfake</b> at http://127.0.0.1:8642/: " +
        "what it has received, how it answers, and why",
      left: 364,
      top: 16,
      shot: await page.screenshot(),
    },
  ]));
  writeFileSync(process.env.PICTURE, await show.screenshot());
});
