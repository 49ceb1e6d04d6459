// The fixture of tests with Playwright gives each test a token of its own, and checks its requests
// at the end. control.js has the calls of the server, and texts.js the texts of a test that fails.
const { randomBytes } = require("node:crypto");
const { test: base, expect } = require("@playwright/test");
const { call } = require("./control.js");
const texts = require("./texts.js");

const home = "http://127.0.0.1:8642";

// newToken returns a token NAME@RUN. Each run of a test, each attempt and each repetition has one
// of its own, and what is generated is the same in all of them, since what follows the last @
// shapes no data.
function newToken(title) {
  const words = title.replace(/[^A-Za-z0-9]+/g, "-");
  const name = words.replace(/^-|-$/g, "").slice(0, 40);
  const run = randomBytes(6).toString("hex");
  return `${name || "test"}@${run}`;
}

// isOfTest returns whether a token was made by newToken: alone, or behind a user and a tilde.
function isOfTest(token) {
  return /@[0-9a-f]{12}$/.test(token);
}

// checkToken fails a call whose token no client could send, before it is sent or remembered.
function checkToken(name, token) {
  if (typeof token !== "string") {
    const instead = "a text, as the token that a login has answered with";
    throw new Error(`campaignfake: ${name}: ${described(token)} is not text; give it ${instead}`);
  }
  const isSendable = /^[!-~]+$/.test(token);
  if (!isSendable) {
    throw new Error(
      `campaignfake: ${name}: the token ${described(token)} cannot be sent by every client; ` +
        "write visible ASCII characters without spaces",
    );
  }
}

// checkUser fails a call whose user is none, as the name of one.
function checkUser(user) {
  if (typeof user === "string") {
    throw new Error(
      `campaignfake: setUser: ${described(user)} is text, not a user; ` +
        `to be like a user of that name, write { like: ${described(user)} }`,
    );
  }
  const isObject = typeof user === "object" && user !== null && !Array.isArray(user);
  if (!isObject) {
    throw new Error(
      `campaignfake: setUser: ${described(user)} is not a user; ` +
        "write an object, as { generate: { count: 3 } }",
    );
  }
}

// described shows a value in a message: a text in quotes, and an object by its type.
function described(value) {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return "a list";
  if (value instanceof Promise) return "a promise, which is to be awaited,";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

// parameter returns a parameter of a URL that has a token.
function parameter(name, token) {
  return `${name}=${encodeURIComponent(token)}`;
}

// OwnTokens has the tokens that are a test's own until it ends: NAME@RUN, and the tokens that the
// test has learnt. With each token, the calls here are for all USER~TOKEN, too.
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
    const lists = await this.callForEach("GET", "requests?limit=1000&oldest=true");
    const requests = lists.flatMap((list) => list.requests);
    return requests.sort((a, b) => a.number - b.number);
  }

  // unplayed returns the replies that the test gave, and its app has not fetched.
  async unplayed() {
    const lists = await this.callForEach("GET", "unplayed");
    return lists.flatMap((list) => list.unplayed);
  }

  // reset puts the tokens back to how the server started, so that nothing is left of the test.
  async reset() {
    await this.callForEach("POST", "reset");
  }

  // callForEach sends a call for each token, and returns the answers. If USER~TOKEN is among the
  // tokens beside TOKEN, the call for TOKEN is for both.
  async callForEach(method, path) {
    const separator = path.includes("?") ? "&" : "?";
    const tokens = this.tokens.filter((token) => !this.hasBase(token));
    const calls = tokens.map((token) => {
      return call(this.server, method, path + separator + parameter("test", token));
    });
    return Promise.all(calls);
  }

  // hasBase returns whether a token is USER~TOKEN of another one.
  hasBase(token) {
    return this.tokens.some((base) => token.endsWith(`~${base}`));
  }
}

// newClient returns the client that steers one token of a test. A user is described by the title of
// the test.
function newClient(server, token, title) {
  const ofToken = parameter("token", token);

  async function setUser(user) {
    checkUser(user);
    const described = { description: title, ...user };
    return call(server, "PUT", `users?${ofToken}&anew=false`, described);
  }

  async function reply(...replies) {
    return call(server, "POST", `replies?${ofToken}`, replies.flat());
  }

  // release answers the requests that are held. A release that comes before any request fails the
  // test: the next request would be held for ever.
  async function release() {
    const { released, advice } = await call(server, "POST", `release?${ofToken}`);
    if (advice) {
      throw new Error(
        "campaignfake: release: no request is held, but the next one will be, and stay so; " +
          "wait for it before, by awaitRequests(n), where n counts all of this token",
      );
    }
    return released;
  }

  async function requests() {
    const path = `requests?${ofToken}&limit=1000&oldest=true`;
    const list = await call(server, "GET", path);
    return list.requests;
  }

  async function awaitRequests(n) {
    const path = `requests?${ofToken}&limit=1000&oldest=true`;
    const list = await call(server, "GET", `${path}&await=${n}`).catch(async (error) => {
      if (error.status !== 504) throw error;
      const { count } = await call(server, "GET", path);
      throw new Error(texts.tooFew(token, count, n));
    });
    return list.requests;
  }

  return { token, setUser, reply, release, requests, awaitRequests };
}

// campaigns gives a test its token, and checks its requests at the end.
async function campaigns({ campaignsURL, ownTokens }, use, info) {
  const token = newToken(info.title);
  const client = newClient(campaignsURL, token, info.title);
  await client.setUser({ generate: { count: 3 } });
  ownTokens.add(token);

  function like(user) {
    checkToken("like", user);
    return newClient(campaignsURL, `${user}~${token}`, info.title);
  }

  function withToken(learnt) {
    checkToken("withToken", learnt);
    const learntClient = newClient(campaignsURL, learnt, info.title);
    ownTokens.add(learnt);
    return learntClient;
  }

  await use({ ...client, like, withToken });
  await checkOwn(ownTokens, token, info);
}

// checkOwn fails a test whose requests were wrong, or that has passed with replies left. Whenever a
// test has failed, its requests are attached.
async function checkOwn(ownTokens, token, info) {
  const requests = await ownTokens.requests();
  const unplayed = await ownTokens.unplayed();
  let problem = texts.wrong(requests, token);
  if (info.status === "passed") {
    problem += texts.unplayed(unplayed);
  }
  const hasFailed = problem !== "" || info.status !== info.expectedStatus;
  if (hasFailed) {
    const report = texts.report(requests, unplayed, token);
    const body = await describe(ownTokens.server, report);
    await info.attach("campaigns", { body, contentType: "text/plain" });
  }
  check(problem);
}

// describe returns the text that is attached to a test: the report, if there is one. If not, the
// app has sent none of the tokens of the test, and the latest requests of no test may show which
// token it has sent instead.
async function describe(server, report) {
  if (report !== "") return report;
  const { requests } = await call(server, "GET", "requests?limit=20");
  const others = requests.filter((request) => !isOfTest(request.token));
  const latest = others.slice(0, 5);
  return texts.strangers(latest.reverse());
}

function check(problem) {
  if (problem !== "") throw new Error(`campaignfake: ${problem}`);
}

// ownTokens is a fixture of every test, so that it ends after the page: the last requests of the
// page would be left otherwise. Without campaigns it calls no server.
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

// checkOthers is the globalSetup of a run. The function that it returns fails the run if a request
// of no test was wrong. Requests of tests that another run has at the same time are checked there.
async function checkOthers({ projects }) {
  const server = projects[0].use.campaignsURL ?? home;
  const before = await call(server, "GET", "requests?limit=1");
  const latest = before.requests[0];

  return async () => {
    const path = "requests?limit=1000&oldest=true&advice=true";
    const { requests } = await call(server, "GET", path);
    const others = requests.filter((request) => {
      return isLater(request, latest) && !isOfTest(request.token);
    });
    check(texts.wrong(others, ""));
  };
}

// isLater returns whether a request came after the latest one that was there before. Its time is
// compared, too, since the numbers start over if somebody resets the whole server.
function isLater(request, latest) {
  if (latest === undefined) return true;
  return request.number > latest.number || Date.parse(request.at) > Date.parse(latest.at);
}

exports.default = checkOthers;
