// Details of an opened request: what is wrong with it, what was received, what was answered.

function requestDetail(request, origin) {
  const {advice, answer} = request;
  return [
    advice && adviceBox(advice),
    reasonBox(request, origin),
    receivedBox(request),
    answeredBox(request),
    answer?.bytes > 0 && bodyBox(request),
  ];
}

function adviceBox({title, text = "", command, fixture}) {
  return element("div.fix", {},
    element("h3", {}, title),
    text.split("\n").map((line) => element("p", {}, line)),
    command && copiedLine(command),
    fixture && copiedLine(fixture));
}

function copiedLine(line) {
  return element("div.copied", {}, code(longText(line)), " ", copyButton(line));
}

// Requests with these methods usually have a body.
const methodsWithBody = ["POST", "PUT", "PATCH"];

// The answer depends on these request headers, so a curl command that repeats the request has them.
const repeatedHeaders = [
  "Authorization",
  "Origin",
  "Access-Control-Request-Method",
  "Access-Control-Request-Headers",
];

function reasonBox({reason, token, url, method, header}, origin) {
  const headers = repeatedHeaders.flatMap((name) => {
    return (header[name] ?? []).map((value) => `${name}: ${value}`);
  });
  const link = token && element("a", {href: tokenQuery(token), "data-go": "user"},
    "User ", code(shortToken(token)));
  return element("div.wide", {},
    element("h3", {}, "Why"),
    element("p", {}, sentence(reason) || "It is being answered."),
    element("p.copies", {},
      link && [link, " "],
      copyButton(curl(origin + url, headers, method), "Copy as curl"),
      methodsWithBody.includes(method) && " without the body, which the journal does not have"));
}

function receivedBox({method, url, header}) {
  return element("div", {},
    element("h3", {}, "Received"),
    element("div", {}, code(longText(`${method} ${url}`))),
    headerList(header));
}

function answeredBox(request) {
  const {answer} = request;
  return element("div", {},
    element("h3", {}, "Answered"),
    element("p", {}, timing(request)),
    answer && headerList(answer.header));
}

function headerList(header) {
  const names = Object.keys(header).sort();
  if (names.length === 0) return false;
  const items = names.flatMap((name) => header[name].map((value) => headerItem(name, value)));
  return element("dl", {}, items);
}

function headerItem(name, value) {
  return element("div", {}, element("dt", {}, name), element("dd", {}, longText(value)));
}

// timing says what the server answered, and how long after the arrival of the request.
function timing({complete, status, duration_ms: ms}) {
  if (!complete) return "There is no answer yet.";
  const after = `${milliseconds(ms)} after the request arrived.`;
  if (status === 0) return `No answer was sent; it was over ${after}`;
  const known = byId("statuses").querySelector(`[value="${status}"]`);
  const name = known ? " " + known.textContent : "";
  return `${status}${name}. The first byte was sent ${after}`;
}

// bodyBox shows the part of an answer's body that the journal has. Text that was not sent is
// crossed out.
function bodyBox({method, passed_on: isPassedOn, answer: {body, bytes, sent}}) {
  const isOfUpstream = body === "" && isPassedOn;
  if (isOfUpstream) return upstreamBody(method, bytes, sent);
  const known = new TextEncoder().encode(body);
  const isCut = sent < bytes && method !== "HEAD";
  const sentText = new TextDecoder().decode(known.slice(0, sent));
  const [text, end] = laidOut(body, isCut ? sentText.length : body.length);
  return element("div.wide", {},
    element("h3", {}, "Body"),
    element("p", {},
      bodyLength(method, bytes, sent, known.length),
      known.length < bytes && " This is its start."),
    bodyText(text, end),
    element("p.copies", {}, known.length === bytes && copyButton(body, "Copy the body")));
}

// upstreamBody says how long a body of the upstream is. The journal does not have such a body.
function upstreamBody(method, bytes, sent) {
  return element("div.wide", {},
    element("h3", {}, "Body"),
    element("p", {},
      bodyLength(method, bytes, sent, 0),
      " The journal does not have them, since they are the upstream’s."));
}

// bodyLength says how many bytes of a body were sent. The argument `known` is how many bytes the
// journal has, from the start of the body.
function bodyLength(method, bytes, sent, known) {
  if (method === "HEAD") {
    return `An answer to HEAD has no body. To GET it would have these ${bytes} bytes.`;
  }
  if (sent >= bytes) return `${bytes} bytes were sent.`;
  const rest = sent < known ? " The rest is crossed out." : "";
  return `${sent} of ${bytes} bytes were sent.${rest}`;
}

// bodyText shows the text of a body. Everything from the index `end` on was not sent, and is
// crossed out. Once the body is in the page, it is scrolled so that the crossed-out part begins in
// the middle.
function bodyText(text, end) {
  const rest = end < text.length && element("del", {}, text.slice(end));
  const body = element("pre", {tabindex: 0, "aria-label": "The body"}, text.slice(0, end), rest);
  if (rest) {
    requestAnimationFrame(() => {
      body.scrollTop = rest.offsetTop - body.offsetTop - body.clientHeight / 2;
    });
  }
  return body;
}
