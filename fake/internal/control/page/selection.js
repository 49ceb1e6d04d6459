// The choice of requests that stands above their list, and what is said of it.

// drawSelection draws what stands above the list of requests, and below it.
function drawSelection() {
  const {trouble, list, hasPassedOn} = state;
  const count = trouble.requests.length;
  const source = [linkTo({}), count, trouble.more, hasPassedOn];
  redraw(byId("counts"), source, () => choices(count));
  say("found", list.found === undefined ? "" : `${list.found} found`);
  drawClear();
  drawMissing();
  const offersMore = list.more && !parameter("rows");
  redraw(byId("more"), [list.more, linkTo({})], () => offersMore && moreLink());
}

// drawMissing says what the URL has, and the server has not: a token that can be none, or a request
// that is not in the journal.
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
    "It was cleared, or is too old, or never came.";
}

// choices are the links by which some requests are shown, as far as there is a choice.
function choices(troubleCount) {
  const token = chosenToken();
  const show = parameter("show");
  const hasTrouble = troubleCount > 0 || show === "trouble";
  const hasPassedOn = state.hasPassedOn || show === "passed";
  const isChoice = token || hasTrouble || hasPassedOn || show;
  return [
    token && choice("", "of " + shortToken(token), {class: "name"}),
    isChoice && choice(token ? "all" : "", "all"),
    hasTrouble && troubleChoice(troubleCount),
    hasPassedOn && choice("passed", "passed on", {title: "Those that the upstream has answered"}),
  ];
}

// choice is a link by which some requests are shown.
function choice(show, text, attributes) {
  const all = {
    href: linkTo({show}),
    "data-go": true,
    "aria-current": parameter("show") === show && "true",
    ...attributes,
  };
  return element("a", all, text);
}

function troubleChoice(count) {
  const orMore = state.trouble.more ? "+" : "";
  return choice("trouble", `${count}${orMore} in trouble`, {
    class: count > 0 && "odd",
    title: "Those that match no route, whose token is none, whose query was ignored, " +
      "or whose answer a browser keeps from the page that asked",
  });
}

function moreLink() {
  return element("a", {href: linkTo({rows: "all"}), "data-go": true}, "Show up to 1,000");
}

// drawClear draws the button that clears what is shown: the requests of the token, or all.
function drawClear() {
  const button = byId("clear");
  if (isOfToken()) {
    say("clear", "Clear " + shortToken(chosenToken()));
    button.className = "name";
    button.dataset.call = "DELETE " + ofToken("requests");
    button.dataset.done = "The requests of the token are cleared.";
  } else {
    say("clear", "Clear");
    button.className = "";
    button.dataset.call = "DELETE requests";
    button.dataset.done = "The journal is empty.";
  }
}
