// The texts of a test that fails, about its requests. A terminal shows the first 300 characters of
// a text that is attached to a test, so the most important lines stand first.

// isPreflight returns whether a request is one that browsers send by themselves.
function isPreflight(request) {
  return request.method === "OPTIONS" && !request.unmatched;
}

// wrong lists the requests that matched nothing, and the requests whose query was ignored.
function wrong(requests, ownToken) {
  const unmatched = requests.filter((request) => request.unmatched);
  const withQuery = requests.filter((request) => request.ignored_query);
  return (
    list("Requests matched nothing:", explained(unmatched, ownToken)) +
    list("Requests had a query:", explained(withQuery, ownToken))
  );
}

// withoutToken lists the requests that had a word in place of a token, as undefined.
function withoutToken(requests) {
  const wordsSent = requests.filter(({ advice }) => {
    return advice?.title.startsWith("The token is the word ");
  });
  return list("Requests had a word in place of a token:", explained(wordsSent, ""));
}

// unplayed lists the replies that the app has not fetched.
function unplayed(replies) {
  const lines = replies.map(({ summary, played, times }) => {
    return `${summary}: ${played} of ${times} times`;
  });
  return list("Replies not played:", lines);
}

// tooFew says that a test has waited for more requests with a token than have arrived.
function tooFew(token, count, awaited) {
  return (
    `campaignfake: awaitRequests: after 10 seconds, ${count} of ${awaited} requests with the ` +
    `token ${nameOf(token, "")} have arrived, and it waits no longer; check that the app asks ` +
    "with this token, or call it again if the app takes longer"
  );
}

// report is attached to a test that has failed: first the tokens of the test that its app should
// have sent, then all requests, then the replies that were not played, then the advice.
function report(unsent, requests, replies, ownToken) {
  const tokens = unsent.map((token) => `${expression(token, ownToken)}: does the app get it?`);
  return (
    list("No request had a token to which the test gave a user or replies:", tokens) +
    list("The requests of this test, the latest first:", rows(requests, ownToken)) +
    unplayed(replies) +
    toChange(requests, ownToken)
  );
}

// strangers is attached, too, if the app has sent no token of the test. It lists requests with
// other tokens.
function strangers(requests) {
  return list("The latest requests of no test:", rows(requests, "")) + toChange(requests, "");
}

// expression returns the expression of a test that has a token.
function expression(token, ownToken) {
  if (token === ownToken) return "campaigns.token";
  const user = likeWhom(token, ownToken);
  return user ? `campaigns.like("${user}").token` : nameOf(token, ownToken);
}

// likeWhom returns the user that a token of the test is like, "" if it is like none.
function likeWhom(token, ownToken) {
  const isLike = ownToken !== "" && token.endsWith(`~${ownToken}`);
  return isLike ? token.slice(0, -ownToken.length - 1) : "";
}

// toChange lists the requests on which there is advice.
function toChange(requests, ownToken) {
  const advised = requests.filter((request) => request.advice);
  return list("What to change:", explained(advised, ownToken));
}

// rows returns a line for each request that an app has sent, the latest first.
function rows(requests, ownToken) {
  const sent = requests.filter((request) => !isPreflight(request));
  const lines = sent.map((request) => `${row(request, ownToken)}, ${request.reason}`);
  return counted(lines.reverse());
}

// row describes a request and its answer. The test's own token is left out.
function row({ method, url, token, status }, ownToken) {
  const named = token === ownToken ? "" : ` (${nameOf(token, ownToken)})`;
  return `${method} ${url}${named}: ${status || "no answer"}`;
}

// nameOf names the token of a request.
function nameOf(token, ownToken) {
  if (token === "") return "no token";
  const user = likeWhom(token, ownToken);
  if (user) return `like ${user}`;
  const isLong = token.length > 40; // as the token of a login
  return isLong ? `${token.slice(0, 20)}…${token.slice(-8)}` : token;
}

// explained returns a line for each request. The advice on it stands below, and if there is none,
// the reason for its answer stands behind it.
function explained(requests, ownToken) {
  const lines = requests.map((request) => {
    const text = request.advice?.text;
    if (!text) return `${row(request, ownToken)}, ${request.reason}`;
    return [row(request, ownToken), ...text.split("\n")].join("\n    ");
  });
  return counted(lines);
}

// counted returns each of the lines once. A line that comes again begins with how often it comes.
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

// list returns a title with lines under it; "" if there are none.
function list(title, lines) {
  if (lines.length === 0) return "";
  return [title, ...lines].join("\n  ") + "\n";
}

module.exports = { wrong, withoutToken, unplayed, tooFew, report, strangers };
