// The list of requests, and what is counted above it.

// result is how a request went, in a class and a word.
function result({complete, status, broken, advice}) {
  if (!complete) return ["wait", "…"];
  if (status === 0) return ["cut", "none"];
  const word = String(status);
  if (broken) return ["cut", word];
  if (status >= 500) return ["bad", word];
  if (status >= 400 || advice) return ["odd", word];
  return ["ok", word];
}

// isHeld says whether a request waits for its release.
function isHeld({complete, reason}) {
  return !complete && reason.includes("held until released");
}

function releaseButton(token) {
  const attributes = {
    type: "button",
    "data-call": "POST release" + tokenQuery(token),
    "data-done": "Released.",
    title: `All requests of ${shortToken(token) || "no token"} that are held are answered`,
  };
  return element("button.release", attributes, "Release");
}

// isFound says whether a request has each word of a search in its status, method, URL or
// token. A status is also found by its class, as 5xx.
function isFound(words, request) {
  const {status, method, url, token, passed_on: isPassedOn} = request;
  const [, word] = result(request);
  const statusClass = status > 0 && `${Math.floor(status / 100)}xx`;
  const parts = [word, statusClass, method, url, token || "no token", isPassedOn && "passed on"];
  const text = parts.join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

function drawCounts() {
  const token = chosenToken();
  const {trouble, list} = state;
  const count = trouble.requests.length;
  redraw(byId("counts"), [linkTo({}), count, trouble.more], () => [
    token && choice("", "of " + shortToken(token), {class: "name"}),
    (token || count > 0 || parameter("show")) && choice(token && "all", "all"),
    (count > 0 || parameter("show") === "trouble") && troubleChoice(count, trouble.more),
    hasPassedOn() && choice("passed", "passed on", {title: "Those that the upstream has answered"}),
  ]);
  say("found", list.found === undefined ? "" : `${list.found} found`);
  drawClear(token);
  const offersMore = list.more && !parameter("rows");
  redraw(byId("more"), [list.more, linkTo({})], () => offersMore &&
    element("a", {href: linkTo({rows: "all"}), "data-go": true}, "Show up to 1,000"));
}

// isNarrowed says whether only some kind of requests is shown.
function isNarrowed() {
  return ["trouble", "passed"].includes(parameter("show"));
}

// hasPassedOn says whether requests were passed on to the upstream, as far as they are listed.
function hasPassedOn() {
  const isPassedOn = (request) => request.passed_on;
  return parameter("show") === "passed" || state.list.requests.some(isPassedOn);
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

function troubleChoice(count, more) {
  return choice("trouble", `${count}${more ? "+" : ""} in trouble`, {
    class: count > 0 && "odd",
    title: "Those that match no route, whose token is none, " +
      "or whose answer a browser keeps from the page that asked",
  });
}

// drawClear draws the button that clears what is shown: the requests of the token, or all.
function drawClear(token) {
  const button = byId("clear");
  if (isOfToken()) {
    say("clear", "Clear " + shortToken(token));
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

let latestDrawn = 0;

// drawRequests draws the rows: those that were asked for, and others that are opened.
function drawRequests(isFirst) {
  const listed = new Set(state.list.requests.map(({number}) => number));
  const isOther = (request) => request && !listed.has(request.number);
  const others = [...opened.values()].filter(isOther);
  const all = [...state.list.requests, ...others];
  all.sort((a, b) => b.number - a.number);
  drawList(byId("requests"), all, rowKey, (row, request, isNew) => {
    const isFresh = isNew && !isFirst && request.number > latestDrawn;
    if (isNew) startRow(row, request, isFresh);
    drawRow(row, request);
  });
  latestDrawn = all[0]?.number ?? 0;
}

// rowKey has the time, too, since the numbers start over after a reset.
function rowKey({number, at}) {
  return `${number}@${at}`;
}

function startRow(row, {number}, isFresh) {
  row.id = "r" + number;
  row.append(element("a", {}));
  if (isFresh) row.classList.add("fresh");
}

function drawRow(row, request) {
  const {number} = request;
  const link = row.firstElementChild;
  link.setAttribute("href", linkTo({request: number}));
  link.ariaExpanded = String(opened.has(number));
  redraw(link, rowSource(request), () => requestLine(request));
  drawRelease(row, link, request);
  drawDetail(row, opened.get(number), opened.has(number));
}

// rowSource is what the row of a request is made of.
function rowSource(request) {
  const {at, token, method, url, status, reason, duration_ms: ms} = request;
  const {complete, broken, advice} = request;
  return [at, token, method, url, status, reason, ms, complete, broken, advice?.title];
}

// requestLine is what is in the row of a request that is not opened.
function requestLine(request) {
  const {method, url, token, at, complete, duration_ms: ms, advice, reason} = request;
  const [kind, word] = result(request);
  return [
    element("b." + kind, {}, word), " ",
    element("span.url", {}, shortText(`${method} ${url}`)), " ",
    element("span.token", {}, shortToken(token) || "no token"), " ",
    clock(at), " ",
    element("span.duration", {}, complete && milliseconds(ms)), " ",
    element("span.reason", {}, advice ? element("i", {}, advice.title) : reason),
  ];
}

// drawRelease has a button in the row of a request that is held.
function drawRelease(row, link, request) {
  const button = row.querySelector(":scope > .release");
  const canRelease = isHeld(request);
  row.classList.toggle("held", canRelease);
  if (canRelease && !button) link.after(releaseButton(request.token));
  if (!canRelease && button) {
    if (button === document.activeElement) link.focus();
    button.remove();
  }
}

// drawDetail draws a request that is opened below its row, when it is known.
function drawDetail(row, request, isOpened) {
  const detail = row.querySelector(":scope > .detail");
  if (request) {
    const place = detail ?? row.appendChild(element("div.detail", {}));
    const {origin} = new URL(state.health.base_url);
    redraw(place, request, () => requestDetail(request, origin));
  } else if (!isOpened) {
    detail?.remove();
  }
}

// toggleRow opens a request, or closes it.
function toggleRow(row) {
  const number = Number(row.id.slice(1));
  const wasOpened = opened.delete(number);
  if (!wasOpened) {
    opened.set(number, null);
    changeAddress({request: number});
  } else if (number === Number(parameter("request"))) {
    changeAddress({request: 0});
  }
  drawRequests();
  refresh();
}

// drawNone says what to do as long as nothing has arrived.
function drawNone() {
  const url = state.health.base_url;
  const own = isOfToken() && chosenToken();
  const token = chosenToken() || state.users[0]?.token || "any-token";
  const isNothing = byId("requests").children.length === 0 &&
    !isNarrowed() && searchWords().length === 0;
  const header = "Authorization: Bearer " + token;
  const command = curl(campaignsURL(), [header]);
  const whose = own ? `of ${shortToken(own)} ` : "";
  redraw(byId("none"), [isNothing, own, command], () => isNothing && [
    element("h3", {}, `Nothing ${whose}has arrived yet.`),
    element("ol", {},
      element("li", {}, "Point your app at ", code(url), "."),
      element("li", {}, "Have it send ", code(longText(header)),
        !own && ", or the token of another user."),
      element("li", {}, "Or try it: ", code(longText(command)),
        element("p.copies", {}, copyButton(command), sendButton(token)))),
  ]);
}

function sendButton(token) {
  return element("button", {type: "button", "data-send": token}, "Send it from here");
}
