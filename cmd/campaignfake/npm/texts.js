// Texts about the requests of a test that failed. Playwright attaches a report to the test, and
// prints the first 300 characters of it to the terminal. So the most important lines stand first.

// isPreflight returns whether a request is a CORS preflight, which browsers send by themselves.
function isPreflight(request) {
  return request.method === "OPTIONS" && !request.unmatched;
}

// wrongRequests lists the requests that matched nothing, and the requests whose query was ignored.
function wrongRequests(requests, ownToken) {
  const unmatched = requests.filter((request) => request.unmatched);
  const withQuery = requests.filter((request) => request.ignored_query);
  return (
    list("Requests matched nothing:", explained(unmatched, ownToken)) +
    list("Requests had a query:", explained(withQuery, ownToken))
  );
}

// withoutToken lists the requests that had a word in place of a token, for example "undefined".
function withoutToken(requests) {
  const wordsSent = requests.filter(({ advice }) => {
    return advice?.title.startsWith("The token is the word ");
  });
  return list("Requests had a word in place of a token:", explained(wordsSent, ""));
}

// unplayed lists replies that were played fewer times than their `times` says.
function unplayed(replies) {
  const lines = replies.map(({ summary, played, times }) => {
    return `${summary}: ${played} of ${times} times`;
  });
  return list("Replies not played:", lines);
}

// tooFew returns the message of awaitRequests for its time-out. The argument `awaited` is how many
// requests the test awaited, and `count` is how many have arrived in 10 seconds.
function tooFew(token, count, awaited) {
  return (
    `campaignfake: awaitRequests: after 10 seconds, ${count} of ${awaited} requests with the ` +
    `token ${nameOf(token, "")} have arrived, and it waits no longer; check that the app asks ` +
    "with this token, or call it again if the app takes longer"
  );
}

// report returns the text that is attached to a test that failed: first the tokens of the test that
// the app has not sent, then all requests, the replies that were not played, and the advice.
function report(unsent, requests, replies, ownToken) {
  const tokens = unsent.map((token) => `${expression(token, ownToken)}: does the app get it?`);
  return (
    list("No request had a token to which the test gave a user or replies:", tokens) +
    list("The requests of this test, the latest first:", rows(requests, ownToken)) +
    unplayed(replies) +
    toChange(requests, ownToken)
  );
}

// strangers returns a text about the latest requests whose token belongs to no test, or that have
// no token. The text stands below the report of a failed test if no request has a token of this
// test.
function strangers(requests) {
  return list("The latest requests of no test:", rows(requests, "")) + toChange(requests, "");
}

// expression returns the JavaScript by which a test gets a token: campaigns.token, or for example
// campaigns.like("flaky").token. For any other token, such as one from a login, it returns the
// token itself, shortened if it has more than 40 characters.
function expression(token, ownToken) {
  if (token === ownToken) return "campaigns.token";
  const user = likeWhom(token, ownToken);
  return user ? `campaigns.like("${user}").token` : nameOf(token, ownToken);
}

// likeWhom returns the user that campaigns.like has given to a token. For example, it returns flaky
// for the token flaky~NAME~RUN if the argument `ownToken` is NAME~RUN. For a token that
// campaigns.like has not made, it returns "".
function likeWhom(token, ownToken) {
  const isLike = ownToken !== "" && token.endsWith(`~${ownToken}`);
  return isLike ? token.slice(0, -ownToken.length - 1) : "";
}

// toChange lists the requests that have advice, each with its advice.
function toChange(requests, ownToken) {
  const advised = requests.filter((request) => request.advice);
  return list("What to change:", explained(advised, ownToken));
}

// rows returns lines about the requests that an app has sent, the latest first. It leaves out
// preflights, which browsers send by themselves. Equal lines become one line, such as "3 times GET
// …".
function rows(requests, ownToken) {
  const sent = requests.filter((request) => !isPreflight(request));
  const lines = sent.map((request) => `${row(request, ownToken)}, ${request.reason}`);
  return counted(lines.reverse());
}

// row describes a request and its answer. It leaves out the token if that is the test's own token.
function row({ method, url, token, status }, ownToken) {
  const named = token === ownToken ? "" : ` (${nameOf(token, ownToken)})`;
  return `${method} ${url}${named}: ${status || "no answer"}`;
}

// nameOf returns how a text names a token: "no token", "like flaky", or the token itself. It
// shortens a token of more than 40 characters.
function nameOf(token, ownToken) {
  if (token === "") return "no token";
  const user = likeWhom(token, ownToken);
  if (user) return `like ${user}`;
  const isLong = token.length > 40; // for example, a token that a login gave
  return isLong ? `${token.slice(0, 20)}…${token.slice(-8)}` : token;
}

// explained returns a text for each request: its row, with the advice below. Without advice, the
// reason for the answer follows in the same line.
function explained(requests, ownToken) {
  const lines = requests.map((request) => {
    const text = request.advice?.text;
    if (!text) return `${row(request, ownToken)}, ${request.reason}`;
    return [row(request, ownToken), ...text.split("\n")].join("\n    ");
  });
  return counted(lines);
}

// counted returns each different line once. A line that occurs several times gets a prefix, for
// example "3 times ".
function counted(lines) {
  const counts = new Map();
  for (const line of lines) {
    const before = counts.get(line) ?? 0;
    counts.set(line, before + 1);
  }
  return [...counts].map(([line, count]) => {
    return count > 1 ? `${count} times ${line}` : line;
  });
}

// list returns a title with lines under it, or "" if lines is empty.
function list(title, lines) {
  if (lines.length === 0) return "";
  return [title, ...lines].join("\n  ") + "\n";
}

module.exports = { wrongRequests, withoutToken, unplayed, tooFew, report, strangers };
