// What tests with Playwright need: a token for each, and the check of its requests at the end.
const { test: base, expect } = require("@playwright/test");
const home = "http://127.0.0.1:8642";

// call sends a request to the control plane of a server, and returns the JSON of its answer.
async function call(server, method, path, body) {
  const answer = await fetch(new URL(`/_fake/${path}`, server), { method, body: JSON.stringify(body) }).catch((error) => {
    throw new Error(`campaignfake: no server answers at ${server} (${error.cause?.code ?? error.message}); start it, or set campaignsURL`);
  });
  const value = await answer.json().catch(() => ({})); // some answers have no body
  if (answer.ok) return value;
  const mistakes = value.mistakes?.map((m) => `${m.path}: ${m.problem}; ${m.instead}`).join("\n");
  throw new Error(`campaignfake: ${mistakes ?? value.detail ?? `${server} answers ${answer.status}`}`);
}

// line describes a request: its answer, the reason for it, and what to change.
function line(r) {
  const answered = `${r.method} ${r.url} (${r.token || "no token"}): ${r.status || "no answer"}, ${r.reason}`;
  return r.advice ? `${answered}\n${r.advice.text}`.replaceAll("\n", "\n    ") : answered;
}
const list = (title, lines) => (lines.length > 0 ? [title, ...lines].join("\n  ") + "\n" : "");
const unmatched = (requests) => list("Requests matched nothing:", requests.filter((r) => r.unmatched).map(line));
function check(problem) {
  if (problem) throw new Error(`campaignfake: ${problem}`);
}

exports.expect = expect;
exports.test = base.extend({
  campaignsURL: [home, { option: true }],
  campaigns: async ({ campaignsURL }, use, info) => {
    const own = `token=${info.testId}`; // the same in each run, so what is left of an earlier one goes
    const plane = (method, path, body) => call(campaignsURL, method, path, body);
    const requests = async (query) => (await plane("GET", `requests?limit=1000&oldest=true&${query}`)).requests;
    await plane("PUT", `users?${own}`, { description: info.title, generate: { count: 3 } });
    await use({
      token: info.testId,
      setUser: (user) => plane("PUT", `users?${own}&anew=false`, { description: info.title, ...user }),
      reply: (...replies) => plane("POST", `replies?${own}`, replies),
      release: async () => (await plane("POST", `release?${own}`)).released,
      requests: () => requests(own),
      awaitRequests: (n) => requests(`${own}&await=${n}`),
    });
    const received = await requests(own);
    const { unplayed } = info.status === "passed" ? await plane("GET", `unplayed?${own}`) : { unplayed: [] };
    const problem = unmatched(received) + list("Replies not played:", unplayed.map((u) => `${u.summary}: ${u.played} of ${u.times} times`));
    if (problem || info.status !== info.expectedStatus) {
      const { requests: latest } = await plane("GET", "requests?limit=5");
      const body = list("The requests of this test:", received.map(line)) || list("None had the token of this test:", latest.map(line));
      await info.attach("campaigns", { body: body || "No request has arrived.", contentType: "text/plain" });
    }
    check(problem);
  },
});

// As globalSetup it fails the run if requests of no test, or of one that failed, matched nothing.
exports.default = async ({ projects }) => {
  const requests = async (query) => (await call(projects[0].use.campaignsURL ?? home, "GET", `requests?limit=${query}`)).requests;
  const [last] = await requests(1);
  return async () => check(unmatched(await requests(`1000&unmatched=true&since=${last?.number ?? 0}`)));
};
