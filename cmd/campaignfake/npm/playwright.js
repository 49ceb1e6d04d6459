// The fixture of tests with Playwright gives each test a token of its own, and checks its requests
// at the end. control.js has the calls of the server, and texts.js the texts of a test that fails.
const { randomBytes } = require("node:crypto");
const { test: base, expect } = require("@playwright/test");
const { call } = require("./control.js");
const texts = require("./texts.js");

const home = "http://127.0.0.1:8642";

// latestBeforeRun is the variable by which the processes of a run know the latest request that the
// server had received before.
const latestBeforeRun = "CAMPAIGNFAKE_LATEST_BEFORE_RUN";

// newRun returns the run in which all tokens of a test end, as NAME~RUN. Each attempt of a test and
// each repetition has one of its own, and what is generated is the same in all of them, since only
// the name shapes data.
function newRun() {
  return randomBytes(6).toString("hex");
}

// nameOf returns the title of a test as it stands in its token.
function nameOf(title) {
  const words = title.replace(/[^A-Za-z0-9]+/g, "-");
  return words.replace(/^-|-$/g, "").slice(0, 40) || "test";
}

// isOfTest returns whether a token ends in the run of a test.
function isOfTest(token) {
  return /~[0-9a-f]{12}$/.test(token);
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
        `for a copy of the user of that name, call behaveLike(${described(user)})`,
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

// described shows a value in a message, as JSON if it can be written so.
function described(value) {
  if (value instanceof Promise) return "a promise, which is to be awaited,";
  return JSON.stringify(value) ?? String(value);
}

// parameter returns a parameter of a URL that has a token.
function parameter(name, token) {
  return `${name}=${encodeURIComponent(token)}`;
}

// OwnTokens are the tokens that are a test's own until it ends: those that end in its run, and
// those that the test has learnt.
class OwnTokens {
  constructor(server) {
    this.server = server;
    this.run = newRun();
    this.learnt = [];
    this.given = []; // the tokens for which the test has given a user or replies
    this.before = null; // the latest request when the test began
  }

  learn(token) {
    if (!this.learnt.includes(token)) this.learnt.push(token);
  }

  // give notes a token for which the test gives a user or replies.
  give(token) {
    if (!this.given.includes(token)) this.given.push(token);
  }

  // requests returns the requests since the test began, the oldest first. With a token that the test
  // has learnt, they are those since the run began: reset would hide the wrong ones of a test that
  // has not learnt it.
  async requests() {
    const lists = await this.callForEach("GET", "requests?limit=1000&oldest=true&");
    const requests = lists.flatMap((list) => list.requests);
    const beforeRun = process.env[latestBeforeRun];
    const own = requests.filter((request) => {
      const isShared = beforeRun !== undefined && this.learnt.includes(request.token);
      return isLater(request, isShared ? JSON.parse(beforeRun) : this.before);
    });
    return own.sort((a, b) => a.number - b.number);
  }

  // unplayed returns the replies that the test gave, and its app has not fetched.
  async unplayed() {
    const lists = await this.callForEach("GET", "unplayed?");
    return lists.flatMap((list) => list.unplayed);
  }

  // reset puts the tokens back to how the server started, so that nothing is left of the test.
  async reset() {
    await this.callForEach("POST", "reset?");
  }

  // callForEach sends a call for the run and for each token that the test has learnt, and returns
  // the answers.
  async callForEach(method, path) {
    const parameters = this.learnt.map((token) => parameter("token", token));
    parameters.push(parameter("run", this.run));
    return Promise.all(parameters.map((each) => call(this.server, method, path + each)));
  }
}

// putUser gives a token a user, who is described by the title of the test.
async function putUser(server, token, title, user) {
  const body = { description: title, ...user };
  return call(server, "PUT", `users?${parameter("token", token)}&anew=false`, body);
}

// newClient returns the client that steers one token of a test.
function newClient(ownTokens, token, title) {
  const { server } = ownTokens;
  const ofToken = parameter("token", token);

  async function setUser(user) {
    checkUser(user);
    ownTokens.give(token);
    return putUser(server, token, title, user);
  }

  async function behaveLike(user) {
    ownTokens.give(token);
    return call(server, "PUT", `users?${ofToken}&${parameter("like", user)}&anew=false`);
  }

  async function reply(...replies) {
    ownTokens.give(token);
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

  return { token, setUser, behaveLike, reply, release, requests, awaitRequests };
}

// campaigns gives a test its token, and checks its requests at the end.
async function campaigns({ campaignsURL, ownTokens }, use, info) {
  const token = `${nameOf(info.title)}~${ownTokens.run}`;
  const client = newClient(ownTokens, token, info.title);
  ownTokens.before = await latestRequest(campaignsURL);
  await putUser(campaignsURL, token, info.title, { generate: { count: 3 } });
  const users = await givenTokens(campaignsURL);

  function like(user) {
    checkToken("like", user);
    checkIsThere(user, [...users, ...ownTokens.learnt]);
    return newClient(ownTokens, `${user}~${token}`, info.title);
  }

  function withToken(learnt) {
    checkToken("withToken", learnt);
    ownTokens.learn(learnt);
    return newClient(ownTokens, learnt, info.title);
  }

  await use({ ...client, like, withToken });
  await checkOwn(ownTokens, token, info);
}

// givenTokens returns the tokens for which users were given. It is called once for a test, since
// the test does not wait for like.
async function givenTokens(server) {
  const { users } = await call(server, "GET", "users");
  return users.filter(({ given }) => given).map(({ token }) => token);
}

// checkIsThere fails a call that names a user who is not there, so that a misspelt name is told.
function checkIsThere(user, tokens) {
  if (tokens.includes(user)) return;
  const others = tokens.filter((token) => !isOfTest(token));
  throw new Error(
    `campaignfake: like: no user has the token ${described(user)}; ` +
      `the users are ${others.join(", ")}`,
  );
}

// checkOwn fails a test whose requests were wrong, or that has passed with replies left. Whenever a
// test has failed, its requests are attached.
async function checkOwn(ownTokens, token, info) {
  const requests = await ownTokens.requests();
  const unplayed = await ownTokens.unplayed();
  const earlier = requests.filter((request) => !isLater(request, ownTokens.before));
  let problem = texts.wrong(requests, token);
  if (texts.wrong(earlier, token) !== "") {
    problem += "Some of them came before this test, with a token that it has learnt.\n";
  }
  if (info.status === "passed") {
    problem += texts.unplayed(unplayed);
  }
  const hasFailed = problem !== "" || info.status !== info.expectedStatus;
  if (hasFailed) {
    const body = await describe(ownTokens, requests, unplayed, token);
    await info.attach("campaigns", { body, contentType: "text/plain" });
  }
  check(problem);
}

// describe returns the text that is attached to a test. If the app has sent none of the tokens of
// the test, the latest requests of no test may show which token it has sent instead.
async function describe(ownTokens, requests, unplayed, token) {
  const sent = requests.map((request) => request.token);
  const given = sent.length === 0 ? [token, ...ownTokens.given] : ownTokens.given;
  const unsent = new Set(given.filter((each) => !sent.includes(each)));
  const report = texts.report([...unsent], requests, unplayed, token);
  if (sent.length > 0) return report;
  const latest = await call(ownTokens.server, "GET", "requests?limit=20");
  const others = latest.requests.filter((request) => {
    return isLater(request, ownTokens.before) && !isOfTest(request.token);
  });
  return report + texts.strangers(others.slice(0, 5).reverse());
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
  const before = await latestRequest(server);
  process.env[latestBeforeRun] = JSON.stringify(before);

  return async () => {
    const path = "requests?limit=1000&oldest=true&advice=true";
    const { requests } = await call(server, "GET", path);
    const others = requests.filter((request) => {
      return isLater(request, before) && !isOfTest(request.token);
    });
    check(texts.wrong(others, "") + texts.withoutToken(others));
  };
}

// latestRequest returns the latest request that the server has received, null if there is none.
async function latestRequest(server) {
  const { requests } = await call(server, "GET", "requests?limit=1&brief=true");
  return requests[0] ?? null;
}

// isLater returns whether a request came after the latest one that was there before. Its time is
// compared, too, since the numbers start over if somebody resets the whole server.
function isLater(request, latest) {
  if (latest === null) return true;
  return request.number > latest.number || Date.parse(request.at) > Date.parse(latest.at);
}

exports.default = checkOthers;
