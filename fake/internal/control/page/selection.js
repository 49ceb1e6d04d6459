// The links and messages above and below the list of requests. The links select which requests the
// list shows.

// drawSelection draws the links and messages above and below the list of requests.
function drawSelection() {
  const {advised, list, hasPassedOn} = state;
  const count = advised.requests.length;
  const source = [linkTo({}), count, advised.more, hasPassedOn];
  redraw(byId("counts"), source, () => choices(count));
  say("found", list.found === undefined ? "" : `${list.found} found`);
  drawMissing();
  const offersMore = list.more && !parameter("rows");
  redraw(byId("more"), [list.more, linkTo({})], () => offersMore && moreLink());
}

// drawMissing shows a message if the URL names a token that no client can send, or a request that
// is not in the journal.
function drawMissing() {
  say("missing", wrongToken() || missingRequest());
}

function wrongToken() {
  const token = parameter("token");
  if (!token || isToken(token)) return "";
  return `No client can send the token ${shortToken(token)} of this URL: ` +
    "write visible ASCII characters without spaces.";
}

function missingRequest() {
  if (!state.missing) return "";
  return `Request ${state.missing} is not in the journal. ` +
    "It was deleted, or is too old, or never came.";
}

// choices returns the links that select requests. It leaves out useless links, such as "passed on"
// if no request was passed on.
function choices(advisedCount) {
  const token = chosenToken();
  const show = parameter("show");
  const hasAdvised = advisedCount > 0 || show === "advice";
  const hasPassedOn = state.hasPassedOn || show === "passed";
  const isChoice = token || hasAdvised || hasPassedOn || show;
  return [
    token && choice("", "of " + shortToken(token), {class: "name"}),
    isChoice && choice(token ? "all" : "", "all"),
    hasAdvised && advisedChoice(advisedCount),
    hasPassedOn && choice("passed", "passed on", {title: "Those that the upstream has answered"}),
  ];
}

// choice returns a link that selects requests. The argument `show` is the value of the parameter
// show in the URL, such as "passed".
function choice(show, text, attributes) {
  const all = {
    href: linkTo({show}),
    "data-go": true,
    "aria-current": parameter("show") === show && "true",
    ...attributes,
  };
  return element("a", all, text);
}

function advisedChoice(count) {
  const orMore = state.advised.more ? "+" : "";
  return choice("advice", `${count}${orMore} with advice`, {
    class: count > 0 && "odd",
    title: "Something is to be changed in the app, or around it, and the request says what",
  });
}

function moreLink() {
  return element("a", {href: linkTo({rows: "all"}), "data-go": true}, "Show up to 1,000");
}
