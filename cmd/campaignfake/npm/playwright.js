// The fixture of tests with Playwright: a token for each, which is the test's own, and the check of
// its requests at the end. control.js has the calls, and texts.js what a test that fails says.
const { randomBytes } = require("node:crypto");
const { test: base, expect } = require("@playwright/test");
const { call } = require("./control.js");
const texts = require("./texts.js");

const home = "http://127.0.0.1:8642";

// newToken returns a token NAME@RUN. Each run of a test, each attempt and each repetition has one
// of its own, and what is generated is the same in all of them, since what follows the last @
// shapes no data.
function newToken(title) {
  const name = title.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40);
  return `${name || "test"}@${randomBytes(6).toString("hex")}`;
}

// isOfTest returns whether a token was made by newToken, or is like a user and of a test.
function isOfTest(token) {
  return /@[0-9a-f]{12}$/.test(token);
}

// An OwnTokens is the tokens that are a test's own until it ends: NAME@RUN, those that it has
// learnt, and all that are like a user and have one of these behind a tilde.
class OwnTokens {
  constructor(server) {
    this.server = server;
    this.tokens = [];
  }

  add(token) {
    if (!this.tokens.includes(token)) this.tokens.push(token);
  }

  // requests returns the requests of the test, the oldest first.
  async requests() {
    const lists = await this.ofAll("GET", "requests?limit=1000&oldest=true");
    return lists.flatMap((list) => list.requests).sort((a, b) => a.number - b.number);
  }

  // unplayed returns the replies that the test gave, and its app has not fetched.
  async unplayed() {
    const lists = await this.ofAll("GET", "unplayed");
    return lists.flatMap((list) => list.unplayed);
  }

  // reset puts the tokens back to how the server started, so that nothing is left of the test.
  async reset() {
    await this.ofAll("POST", "reset");
  }

  async ofAll(method, path) {
    const separator = path.includes("?") ? "&" : "?";
    return Promise.all(
      this.tokens.map((token) =>
        call(this.server, method, `${path}${separator}test=${encodeURIComponent(token)}`),
      ),
    );
  }
}

// newClient returns what steers one token of a test. A user is described by the title of the test.
function newClient(server, token, title) {
  const own = `token=${encodeURIComponent(token)}`;
  const requests = async (query) => {
    const list = await call(server, "GET", `requests?${own}&limit=1000&oldest=true${query}`);
    return list.requests;
  };
  return {
    token,
    setUser: (user) =>
      call(server, "PUT", `users?${own}&anew=false`, { description: title, ...user }),
    reply: (...replies) => call(server, "POST", `replies?${own}`, replies.flat()),
    release: () => release(server, own),
    requests: () => requests(""),
    awaitRequests: (n) => requests(`&await=${n}`),
  };
}

// release answers the requests that are held. One that comes too early fails the test: the request
// would be held for ever after.
async function release(server, own) {
  const { released, advice } = await call(server, "POST", `release?${own}`);
  if (advice) {
    throw new Error(
      "campaignfake: release: no request is held, but the next one will be, and stay so; " +
        "wait for it before, by awaitRequests(n), where n counts all of this token",
    );
  }
  return released;
}

// campaigns gives a test its token, and checks its requests at the end.
async function campaigns({ campaignsURL, ownTokens }, use, info) {
  const token = newToken(info.title);
  const client = newClient(campaignsURL, token, info.title);
  await client.setUser({ generate: { count: 3 } });
  ownTokens.add(token);
  await use({
    ...client,
    like: (user) => newClient(campaignsURL, `${user}~${token}`, info.title),
    withToken: (login) => {
      ownTokens.add(login);
      return newClient(campaignsURL, login, info.title);
    },
  });

  const requests = await ownTokens.requests();
  const unplayed = await ownTokens.unplayed();
  let problem = texts.wrong(requests, token);
  if (info.status === "passed") problem += texts.unplayed(unplayed);
  if (problem !== "" || info.status !== info.expectedStatus) {
    const body = await describe(campaignsURL, texts.report(requests, unplayed, token));
    await info.attach("campaigns", { body, contentType: "text/plain" });
  }
  check(problem);
}

// describe returns what is attached to a test. If its app has sent none of its tokens, the latest
// requests of no test may show what it has sent.
async function describe(server, report) {
  if (report !== "") return report;
  const { requests } = await call(server, "GET", "requests?limit=20");
  const others = requests.filter((r) => !isOfTest(r.token)).slice(0, 5);
  return texts.strangers(others.reverse());
}

function check(problem) {
  if (problem !== "") throw new Error(`campaignfake: ${problem}`);
}

// ownTokens is there for every test, so that it ends after the page, whose last requests would
// else be left. Without campaigns it calls no server.
async function ownTokens({ campaignsURL }, use) {
  const own = new OwnTokens(campaignsURL);
  await use(own);
  await own.reset();
}

exports.expect = expect;
exports.test = base.extend({
  campaignsURL: [home, { option: true }],
  ownTokens: [ownTokens, { auto: true }],
  campaigns,
});

// As globalSetup it fails the run if a request of no test was wrong. Those of tests that run at the
// same time elsewhere are checked there.
exports.default = async ({ projects }) => {
  const server = projects[0].use.campaignsURL ?? home;
  const [last] = (await call(server, "GET", "requests?limit=1")).requests;
  const since = last?.number ?? 0;
  return async () => {
    const path = `requests?limit=1000&oldest=true&advice=true&since=${since}`;
    const { requests } = await call(server, "GET", path);
    check(texts.wrong(requests.filter((r) => !isOfTest(r.token)), ""));
  };
};
