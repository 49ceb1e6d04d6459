// A fixture for tests with Playwright. It gives each test a token of its own, and checks the
// requests of the test at its end. control.js sends calls to the server. texts.js writes the texts
// for a test that fails.
const { randomBytes } = require("node:crypto");
const { test: base, expect } = require("@playwright/test");
const { call } = require("./control.js");
const texts = require("./texts.js");

const home = "http://127.0.0.1:8642";

// latestBeforeRun is the name of an environment variable, which checkOthers sets for all processes
// of Playwright. Its value is the latest request before Playwright started, as JSON.
const latestBeforeRun = "CAMPAIGNFAKE_LATEST_BEFORE_RUN";

// newRun returns a random text, the RUN in the tokens of a test: NAME~RUN, or flaky~NAME~RUN. Each
// attempt and each repetition of a test gets a new RUN. But all attempts see the same generated
// campaigns, since the server generates these from the text before the first ~.
function newRun() {
  return randomBytes(6).toString("hex");
}

// nameOf returns the NAME in the token of a test, made from the title: shows-the-list for the title
// "shows the list".
function nameOf(title) {
  const words = title.replace(/[^A-Za-z0-9]+/g, "-");
  return words.replace(/^-|-$/g, "").slice(0, 40) || "test";
}

// isOfTest returns whether a token belongs to a test. The token of a test ends in ~ and 12
// hexadecimal digits, the text that newRun returns.
function isOfTest(token) {
  return /~[0-9a-f]{12}$/.test(token);
}

// checkToken throws an error if a client cannot send a token. The argument `name` names the method
// that got the token.
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

// checkUser throws an error if the argument of setUser is not an object, for example if it is the
// name of a user.
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

// described returns a value as messages show it: as JSON, if the value can be written as JSON.
function described(value) {
  if (value instanceof Promise) return "a promise, which is to be awaited,";
  return JSON.stringify(value) ?? String(value);
}

// parameter returns a parameter of a URL, for example token=alice.
function parameter(name, token) {
  return `${name}=${encodeURIComponent(token)}`;
}

// OwnTokens has the tokens that belong to one test until the test ends. These are all tokens that
// end in ~RUN, and the tokens that the test has learnt, for example from a login.
class OwnTokens {
  constructor(server) {
    this.server = server;
    this.run = newRun();
    this.learnt = [];
    this.given = []; // the tokens for which the test has given a user or replies
    this.before = null; // the latest request before the test; null if there was none
  }

  learn(token) {
    if (!this.learnt.includes(token)) this.learnt.push(token);
  }

  // give notes a token for which the test gives a user or replies.
  give(token) {
    if (!this.given.includes(token)) this.given.push(token);
  }

  // requests returns the requests with the tokens of the test since the test began, the oldest
  // first. For a token that withToken has added, it returns all requests since Playwright called
  // checkOthers. The earlier requests may come from a test that used this token without withToken,
  // so nobody has checked them. The teardown of checkOthers would miss them, since `reset` removes
  // them from the journal when this test ends.
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

  // unplayed returns the replies that were played fewer times than their `times` says.
  async unplayed() {
    const lists = await this.callForEach("GET", "unplayed?");
    return lists.flatMap((list) => list.unplayed);
  }

  // reset puts the tokens back to how they were when the server started, and removes the requests
  // of the test from the journal.
  async reset() {
    await this.callForEach("POST", "reset?");
  }

  // callForEach sends a call for all tokens that end in ~RUN, and a call for each token that the
  // test has learnt. It returns the answers. The argument `path` ends in ? or &.
  async callForEach(method, path) {
    const parameters = this.learnt.map((token) => parameter("token", token));
    parameters.push(parameter("run", this.run));
    return Promise.all(parameters.map((each) => call(this.server, method, path + each)));
  }
}

// putUser gives a token a user. The earlier requests of the token stay in the journal (anew=false).
// Without a description, the user gets the title of the test as its description.
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

  // release answers the requests that are held, and returns their number. It throws an error if the
  // call comes too early: no request is held yet, but the next request will be held. Without
  // another call, nobody would release that request.
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

// campaigns is the fixture that gives a test its token, and checks the requests of the test at its
// end.
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

// givenTokens returns the tokens of all users that files or calls have given. campaigns calls it
// once, before the test: campaigns.like is not asynchronous, so it cannot ask the server.
async function givenTokens(server) {
  const { users } = await call(server, "GET", "users");
  return users.filter(({ given }) => given).map(({ token }) => token);
}

// checkIsThere throws an error if no user has the token that a test gave to campaigns.like.
function checkIsThere(user, tokens) {
  if (tokens.includes(user)) return;
  const others = tokens.filter((token) => !isOfTest(token));
  throw new Error(
    `campaignfake: like: no user has the token ${described(user)}; ` +
      `the users are ${others.join(", ")}`,
  );
}

// checkOwn fails a test if a request matched nothing or had a query, or if the test passed but
// replies were not played. It attaches a report on the requests of each failed test.
async function checkOwn(ownTokens, token, info) {
  const requests = await ownTokens.requests();
  const unplayed = await ownTokens.unplayed();
  const earlier = requests.filter((request) => !isLater(request, ownTokens.before));
  let problem = texts.wrongRequests(requests, token);
  if (texts.wrongRequests(earlier, token) !== "") {
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

// describe returns the report that is attached to a test. If the app has sent no token of the test,
// the report has also the latest requests that belong to no test. They may show which token the app
// has sent instead.
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

// ownTokens is a fixture that resets the tokens of each test. Playwright ends an automatic fixture
// after the page is closed, so that the reset also removes the last requests of the page.
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

// checkOthers is the globalSetup of Playwright. It returns the teardown, which makes Playwright
// fail if a wrong request belongs to no test. A wrong request matched nothing, had a query, or had
// a word such as undefined in place of a token. Each test checks its own requests. So the teardown
// ignores a request if its token belongs to a test, even to a test of another Playwright on the
// same server.
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
    check(texts.wrongRequests(others, "") + texts.withoutToken(others));
  };
}

// latestRequest returns the latest request in the journal of the server, or null if there is none.
async function latestRequest(server) {
  const { requests } = await call(server, "GET", "requests?limit=1&brief=true");
  return requests[0] ?? null;
}

// isLater returns whether a request arrived after the request `latest`, which may be null. It also
// compares times, since the numbers start again at 1 if somebody resets the whole server.
function isLater(request, latest) {
  if (latest === null) return true;
  return request.number > latest.number || Date.parse(request.at) > Date.parse(latest.at);
}

exports.default = checkOthers;
