// What a test that fails says about its requests. A terminal shows the first 300 characters of
// what is attached to a test, so what is decisive stands first.

// isPreflight returns whether a request is one that browsers send by themselves.
function isPreflight(request) {
  return request.method === "OPTIONS" && !request.unmatched;
}

// wrong lists the requests for what the service does not have.
function wrong(requests, ownToken) {
  const unmatched = requests.filter((r) => r.unmatched);
  const withQuery = requests.filter((r) => r.ignored_query);
  return (
    list("Requests matched nothing:", explained(unmatched, ownToken)) +
    list("Requests had a query:", explained(withQuery, ownToken))
  );
}

// unplayed lists the replies that the app has not fetched.
function unplayed(replies) {
  const lines = replies.map((r) => `${r.summary}: ${r.played} of ${r.times} times`);
  return list("Replies not played:", lines);
}

// report is what is attached to a test that has failed: first what to change, then what has
// happened, the latest first.
function report(requests, replies, ownToken) {
  return (
    toChange(requests, ownToken) +
    unplayed(replies) +
    list("The requests of this test, the latest first:", rows(requests, ownToken))
  );
}

// strangers is attached to a test whose app has sent none of its tokens: the requests of others.
function strangers(requests) {
  return (
    "No request had the token of this test.\n" +
    toChange(requests, "") +
    list("The latest ones:", rows(requests, ""))
  );
}

// toChange lists the requests on which there is advice.
function toChange(requests, ownToken) {
  const advised = requests.filter((r) => r.advice);
  return list("What to change:", explained(advised, ownToken));
}

// rows returns a line for each request that an app has sent, the latest first.
function rows(requests, ownToken) {
  const sent = requests.filter((r) => !isPreflight(r)).reverse();
  return counted(sent.map((r) => `${row(r, ownToken)}, ${r.reason}`));
}

// row describes a request and its answer. A test knows its own token.
function row(request, ownToken) {
  const token = request.token === ownToken ? "" : ` (${nameOf(request.token, ownToken)})`;
  return `${request.method} ${request.url}${token}: ${request.status || "no answer"}`;
}

// nameOf names the token of a request.
function nameOf(token, ownToken) {
  if (token === "") return "no token";
  if (ownToken !== "" && token.endsWith(`~${ownToken}`)) {
    return `like ${token.slice(0, -ownToken.length - 1)}`;
  }
  if (token.length > 40) return `${token.slice(0, 20)}…${token.slice(-8)}`; // as that of a login
  return token;
}

// explained returns a line for each request, with the advice on it below, or else the reason for
// its answer.
function explained(requests, ownToken) {
  const lines = requests.map((request) => {
    const text = request.advice?.text;
    if (!text) return `${row(request, ownToken)}, ${request.reason}`;
    return [row(request, ownToken), ...text.split("\n")].join("\n    ");
  });
  return counted(lines);
}

// counted returns lines, of which each that comes again is there once, with their number.
function counted(lines) {
  const counts = new Map();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, count]) => (count > 1 ? `${count} times ${line}` : line));
}

// list returns a title with lines under it; "" if there are none.
function list(title, lines) {
  if (lines.length === 0) return "";
  return [title, ...lines].join("\n  ") + "\n";
}

module.exports = { wrong, unplayed, report, strangers };
