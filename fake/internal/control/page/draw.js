// From JSON to elements. All that comes from the server is put in as text or as
// the value of an attribute, never as HTML.
const $ = (id) => document.getElementById(id);

// present leaves out of what is in an element whatever is not there.
const present = (children) => children.flat(Infinity).filter((child) => child != null && child !== "" && child !== false);

// el makes an element: its name with its class, its attributes, and what is in it.
// An attribute that is undefined or false is left out.
const el = (name, attributes, ...children) => {
  const [tag, kind] = name.split(".");
  const it = document.createElement(tag);
  if (kind) it.className = kind;
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined && value !== false) it.setAttribute(key, value === true ? "" : value);
  it.append(...present(children));
  return it;
};
const code = (text) => el("code", {}, text);
const copyButton = (text, label = "Copy") => el("button", {type: "button", "data-copy": text}, label);
const actButton = (label, act) => Object.assign(el("button", {type: "button"}, label), {onclick: act});
const tokenQuery = (token) => "?token=" + encodeURIComponent(token);

// into puts what a function makes into an element, unless what it is made of is
// the same as before, and returns whether it did. The focus stays in the same place.
const stops = "a,button,summary,[tabindex]";
const into = (place, source, make) => {
  const key = JSON.stringify(source);
  if (place.drawnFrom === key) return false;
  place.drawnFrom = key;
  const at = [...place.querySelectorAll(stops)].indexOf(document.activeElement);
  place.replaceChildren(...present([make()]));
  if (at < 0) return true;
  const left = [...place.querySelectorAll(stops)];
  (left[at] ?? left.at(-1) ?? $("next").querySelector(".main")).focus();
  return true;
};

// exact reads JSON so that all numbers keep their digits, where the browser can.
const exact = (text) => JSON.parse(text, (key, value, {source} = {}) =>
  typeof value === "number" && source && source !== String(value) && JSON.rawJSON ? JSON.rawJSON(source) : value);

// laidOut breaks JSON into lines, also if it is cut off, and changes nothing else. It
// returns the text, and where in it a place of the original is. What is nested too
// deeply to be read is left as it is: the indents alone could fill the memory.
const laidOut = (text, place = text.length) => {
  if (!/^\s*[{[]/.test(text)) return [text, place];
  let out = "", indent = "\n", at = -1;
  for (const {0: token, index} of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/gs)) {
    if (/^[}\]]/.test(token)) out += indent = indent.slice(0, -2);
    if (at < 0 && index + token.length >= place) at = out.length + Math.max(place - index, 0);
    out += token;
    if (indent.length > 400) return [text, place];
    if (/^[{[]$/.test(token)) out += indent += "  ";
    else if (token === ",") out += indent;
    else if (token === ":") out += " ";
  }
  return [out, at < 0 ? out.length : at];
};
const sentence = (words) => words && words[0].toUpperCase() + words.slice(1).replace(/\.$/, "") + ".";
const quoted = (text) => "'" + text.replaceAll("'", `'\\''`) + "'";
const curl = (url, headers, method = "GET") =>
  ["curl", method === "GET" ? [] : ["-X", quoted(method)], headers.map((header) => ["-H", quoted(header)]), quoted(url)].flat(Infinity).join(" ");

// Times are those of the reader.
const clock = (when) => {
  const at = new Date(when), local = new Date(at - at.getTimezoneOffset() * 60_000);
  return el("time", {datetime: when, title: at.toISOString().replace("T", " ").replace("Z", " UTC")}, local.toISOString().slice(11, 23));
};
const milliseconds = (ms) => ms < 10 ? ms.toFixed(2) + " ms" : ms < 100 ? ms.toFixed(1) + " ms" : (ms / 1000).toFixed(2) + " s";

// A list of mistakes, each with its place and its line, and a caret under that.
const mistakeList = (mistakes) => el("ul", {}, mistakes.map((m) => el("li", {},
  m.file && [code(m.file + (m.line ? `:${m.line}:${m.column}` : "")), " "], m.path && [code(m.path), " "],
  el("strong", {}, m.problem), m.instead && "; " + m.instead,
  m.source && el("pre", {tabindex: 0, "aria-label": "The line"}, marked([...m.source], m.column)))));
// marked is a line with a caret under a column. A long one is cut around it.
const marked = (line, column) => {
  const from = column > 80 ? column - 60 : 0, part = line.slice(from, from + 200), lead = from ? "…" : "";
  return lead + part.join("") + "\n" + (lead && " ") + part.slice(0, column - 1 - from).map((it) => it === "\t" ? it : " ").join("") + "^";
};

// What could not be reloaded.
const failure = ({error, mistakes = [], certificate_error: certificate} = {}) => (error || certificate) && el("section", {"aria-labelledby": "failed"},
  error && [el("h2", {id: "failed"}, "The fixtures could not be reloaded. The last good ones are served."),
    mistakes.length === 0 ? el("p", {}, error) : mistakeList(mistakes)],
  certificate && [el("h2", {id: !error && "failed"}, "The certificate could not be reloaded. The last good one is served."), el("p", {}, certificate)]);

// plain shows the marks that turn text around, which would turn what stands beside it, too.
const plain = (text) => text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");

const userItem = (user, chosen) => el("li", {}, el("a", {href: tokenQuery(user.token), "data-go": true, "aria-current": user.token === chosen && "true"},
  el("b", {}, user.token),
  user.waiting > 0 && [" ", el("i", {}, user.waiting + " waiting")],
  user.requests > 0 && [" ", el("em", {title: user.requests === 1 ? "request" : "requests"}, String(user.requests), el("span.off", {}, user.requests === 1 ? " request" : " requests"))],
  el("span", {}, plain(user.description || user.summary))));

// timesLeft says how often a waiting reply is still to be played.
const timesLeft = ({reply: {times = 1}, played}) => times === "always" ? "always" : times - played > 1 ? times - played + " times" : "once";
const isAlways = ({reply}) => reply.times === "always";
const replyList = (title, replies) => replies.length > 0 && [
  el("h3", {}, title),
  el("ol", {}, replies.map((reply) => el("li", {"aria-current": reply.played > 0 && !isAlways(reply) && "step"},
    reply.summary, " ", el("small", {}, timesLeft(reply), !reply.enqueued && ", of the user’s own")))),
];
// waitingLists has a reply that is played always apart from those that wait before it,
// and from those that it keeps from being played.
const waitingLists = (replies, repeat) => {
  const always = replies.findIndex(isAlways), end = always < 0 ? replies.length : always;
  return [
    replyList("Waiting to be played", replies.slice(0, end)),
    repeat && always < 0 && el("p.hint", {}, "Then the user’s own from the start."),
    replyList(end > 0 ? "Then played always" : "Played always", replies.slice(end, end + 1)),
    replyList("Not played, because of the one before", replies.slice(end + 1)),
  ];
};

const table = (attributes, columns, rows) => el("table", attributes,
  el("thead", {}, el("tr", {}, columns.map((name) => el("th", {scope: "col"}, name)))), el("tbody", {}, rows));

// A cell has a text as it is, and any other value as JSON.
const cell = (value) => typeof value === "string" ? el("td", {}, value) : el("td.raw", {}, value === undefined ? "(left out)" : JSON.stringify(value));
// paths lead to the values of a campaign, key by key. Lists are values.
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !JSON.isRawJSON?.(value);
const paths = (value, path = []) => !isObject(value) ? [path] : Object.entries(value).flatMap(([key, inner]) => paths(inner, [...path, key]));
// The columns of the table are the paths that at least half of the campaigns have.
const campaignTable = ({campaigns, more}) => {
  const found = new Map();
  for (const path of campaigns.flatMap((campaign) => paths(campaign))) {
    const name = path.join(".");
    found.set(name, {name, path, count: (found.get(name)?.count ?? 0) + 1});
  }
  const columns = [...found.values()].filter(({count}) => 2 * count >= campaigns.length);
  const row = (campaign) => el("tr", {}, columns.map(({path}) => cell(path.reduce((value, key) => value?.[key], campaign))));
  return campaigns.length > 0 && [
    el("div.scroll", {tabindex: 0, role: "group", "aria-label": "Campaigns"},
      table({}, columns.map(({name}) => name), campaigns.map(row))),
    more > 0 && el("p", {}, `and ${more} campaign${more === 1 ? "" : "s"} more`),
  ];
};

const settingTable = (settings) => table({"aria-label": "Settings"}, ["setting", "value", "basis"], settings.map(({name, value, basis, where}) => el("tr." + basis, {},
  el("td", {}, code(name)), el("td", {}, value === null ? "–" : code(typeof value === "string" ? value : JSON.stringify(value))),
  el("td", {}, basis, where && el("div", {}, el(where.startsWith("-") ? "code.option" : "code", {}, where))))));

// What is said of the requests of a token that are held, and the button that releases them.
const isHeld = ({complete, reason}) => !complete && reason.endsWith("held until released");
const releaseButton = (token) => el("button.release", {type: "button", "data-call": "POST release" + tokenQuery(token), "data-done": "Released.",
  title: `All requests of ${token || "no token"} that are held are answered`}, "Release");
const heldNote = (count, token) => el("p", {}, count === 1 ? "1 request is held until it is released. " : `${count} requests are held until they are released. `, releaseButton(token));

// isFound reports whether a request has each word of a search in its status, method, URL or
// token. A status is also found by its class, as 5xx.
const isFound = (words, request) => {
  const {status, method, url, token} = request, [, word] = result(request);
  const text = [word, status > 0 && `${Math.floor(status / 100)}xx`, method, url, token || "no token"].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
};

// result is how a request went, in a class and a word.
const result = ({complete, status, broken, advice}) => {
  if (!complete) return ["wait", "…"];
  if (status === 0) return ["cut", "none"];
  return [broken ? "cut" : status >= 500 ? "bad" : status >= 400 || advice ? "odd" : "ok", String(status)];
};

// requestLine is what is in the row of a request that is not opened.
const requestLine = (r) => {
  const [kind, word] = result(r);
  return [el("b." + kind, {}, word), " ", el("span.u", {}, `${r.method} ${r.url}`, r.preflight && [" ", el("small", {}, "+ preflight")]), " ", el("span.t", {}, r.token || "no token"), " ", clock(r.at), " ",
    el("span.d", {}, r.complete && milliseconds(r.duration_ms)), " ",
    el("span.w", {}, r.advice ? el("i", {}, r.advice.title) : r.reason)];
};

const headerList = (header) => {
  const items = Object.keys(header).sort().flatMap((name) => header[name].map((value) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
  return items.length > 0 && el("dl", {}, items);
};
const adviceBox = ({title, text = "", command, fixture}) => el("div.fix", {}, el("h3", {}, title), text.split("\n").map((line) => el("p", {}, line)),
  [command, fixture].map((line) => line && el("p", {}, code(line), " ", copyButton(line))));

// timing says what was answered, and when.
const timing = ({complete, status, duration_ms: ms}) => {
  if (!complete) return "There is no answer yet.";
  if (status === 0) return `No answer was sent; it was over ${milliseconds(ms)} after the request arrived.`;
  const known = $("statuses").querySelector(`[value="${status}"]`);
  return `${status}${known ? " " + known.textContent : ""}. The first byte was sent ${milliseconds(ms)} after the request arrived.`;
};

// bodyBox is the body of an answer, with what was not sent of it crossed out. Of a very
// large one the rest is put in on demand, since it takes a browser seconds.
const atOnce = 200_000;
const bodyBox = ({method, answer: {body, bytes, sent}}) => {
  const raw = new TextEncoder().encode(body), isCut = sent < bytes && method !== "HEAD";
  const [text, end] = laidOut(body, isCut ? new TextDecoder().decode(raw.slice(0, sent)).length : body.length);
  const pre = el("pre", {tabindex: 0, "aria-label": "The body"});
  const fill = (most) => {
    const cut = isCut && end < most && el("del", {}, text.slice(end, most));
    pre.replaceChildren(text.slice(0, Math.min(end, most)), cut || "");
    if (cut) requestAnimationFrame(() => (pre.scrollTop = cut.offsetTop - pre.offsetTop - pre.clientHeight / 2)); // when it is in the page
  };
  const more = text.length > atOnce && actButton(`Show all ${raw.length} bytes`, () => {
    fill(text.length);
    pre.focus();
    more.remove();
  });
  fill(atOnce);
  return el("div.why", {}, el("h3", {}, "Body"), el("p", {},
    method === "HEAD" ? `An answer to HEAD has no body. To GET it would have these ${bytes} bytes.`
      : !isCut ? `${bytes} bytes were sent.` : `${sent} of ${bytes} bytes were sent.` + (sent < raw.length ? " The rest is crossed out." : ""),
    raw.length < bytes && " The journal no longer keeps the whole body. This is its start."),
  pre, el("p.copies", {}, more, copyButton(body, "Copy the body")));
};

// Those headers are sent again that the answer depends on.
const repeated = ["Authorization", "Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers"];
const requestDetail = (r, preflight, origin) => {
  const headers = repeated.flatMap((name) => (r.header[name] ?? []).map((value) => `${name}: ${value}`));
  return [
    r.advice && adviceBox(r.advice),
    el("div.why", {}, el("h3", {}, "Why"), el("p", {}, sentence(r.reason) || "It is being answered."), el("p.copies", {},
      r.token && [el("a", {href: tokenQuery(r.token), "data-go": true}, "User ", code(r.token)), " "],
      copyButton(curl(origin + r.url, headers, r.method), "Copy as curl"))),
    el("div", {}, el("h3", {}, "Received"), el("p", {}, code(`${r.method} ${r.url}`)), headerList(r.header)),
    el("div", {}, el("h3", {}, "Answered"), el("p", {}, timing(r)), isHeld(r) && el("p.copies", {}, releaseButton(r.token)), r.answer && headerList(r.answer.header)),
    r.answer?.bytes > 0 && bodyBox(r),
    preflight?.answer && el("details.why", {}, el("summary", {}, `Its preflight: ${preflight.status}`), el("p", {}, sentence(preflight.reason)),
      headerList(preflight.header), el("h3", {}, "Answered"), el("p", {}, timing(preflight)), headerList(preflight.answer.header)),
  ];
};
