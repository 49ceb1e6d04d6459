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
const tokenQuery = (token) => "?token=" + encodeURIComponent(token);
const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

// into puts what a function makes into an element, unless what it is made of is the same
// as before. The focus stays in the same place.
const into = (place, source, make) => {
  const key = JSON.stringify(source);
  if (place.drawnFrom === key) return;
  place.drawnFrom = key;
  const stops = () => [...place.querySelectorAll("a,button,summary,[tabindex]")];
  const at = stops().indexOf(document.activeElement);
  place.replaceChildren(...present([make()]));
  if (at >= 0) (stops()[at] ?? stops().at(-1) ?? $("next").querySelector(".main")).focus();
};

// each has an item of a list for each entry, by its key. Items that stay are not made
// anew, so that focus, selection and what is opened in them stay, too.
const each = (list, entries, keyOf, draw) => {
  const items = new Map([...list.children].map((item) => [item.dataset.key, item]));
  const keys = entries.map(keyOf), kept = new Set(keys);
  for (const [key, item] of items) if (!kept.has(key)) item.remove();
  let next = list.firstElementChild;
  for (const [i, entry] of entries.entries()) {
    const known = items.get(keys[i]), item = known ?? el("li", {"data-key": keys[i]});
    if (item === next) next = next.nextElementSibling;
    else list.insertBefore(item, next);
    draw(item, entry, !known);
  }
};

// laidOut breaks JSON into lines, also if it is cut off, and changes nothing else. It
// returns the text, and where in it a place of the original is. What is nested too
// deeply to be read is left as it is: the indents alone could fill the memory.
const laidOut = (text, place) => {
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
const sentence = (words) => words && words[0].toUpperCase() + words.slice(1) + (/[.?!]$/.test(words) ? "" : ".");
const quoted = (text) => "'" + text.replaceAll("'", `'\\''`) + "'";
const curl = (url, headers, method = "GET") =>
  ["curl", method === "GET" ? [] : ["-X", quoted(method)], headers.map((header) => ["-H", quoted(header)]), quoted(url)].flat(Infinity).join(" ");

// Times are those of the reader.
const clock = (when) => {
  const at = new Date(when), local = new Date(at - at.getTimezoneOffset() * 60_000);
  return el("time", {datetime: when, title: at.toISOString().replace("T", " ").replace("Z", " UTC")}, local.toISOString().slice(11, 23));
};
const milliseconds = (ms) => ms < 10 ? ms.toFixed(2) + " ms" : ms < 100 ? ms.toFixed(1) + " ms" : (ms / 1000).toFixed(2) + " s";

// failure says what could not be reloaded: each mistake with its place and its line, and
// a caret under that.
const failure = ({error, mistakes = []} = {}) => error && el("section", {"aria-labelledby": "failed"},
  el("h2", {id: "failed"}, "The fixtures could not be reloaded. The last good ones are served."),
  mistakes.length === 0 ? el("p", {}, error) : el("ul", {}, mistakes.map((m) => el("li", {},
    m.file && [code(m.file + (m.line ? `:${m.line}:${m.column}` : "")), " "], m.path && [code(m.path), " "],
    el("strong", {}, m.problem), m.instead && "; " + m.instead,
    m.source && el("pre", {tabindex: 0, "aria-label": "The line"}, marked([...m.source], m.column))))));
// marked is a line with a caret under a column. A long one is cut around it.
const marked = (line, column) => {
  const from = column > 80 ? column - 60 : 0, part = line.slice(from, from + 200), lead = from ? "…" : "";
  return lead + part.join("") + "\n" + (lead && " ") + part.slice(0, column - 1 - from).map((it) => it === "\t" ? it : " ").join("") + "^";
};

// plain shows the marks that turn text around, which would turn what stands beside it, too.
const plain = (text) => text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");

const userLine = ({token, description, summary, requests, waiting}) => [
  el("b", {}, token),
  waiting > 0 && [" ", el("i", {}, waiting + " waiting")],
  requests > 0 && [" ", el("em", {title: counted(requests, "request")}, String(requests), el("span.off", {}, requests === 1 ? " request" : " requests"))],
  el("span", {}, plain(description || summary)),
];

// waitingList has the replies that wait, in the order in which they are played. One that
// is played always keeps those after it from being played.
const isAlways = ({reply}) => reply.times === "always";
const timesLeft = ({reply: {times = 1}, played}) => times === "always" ? "always" : times - played > 1 ? times - played + " times" : "once";
const waitingList = (replies, repeat) => {
  const always = replies.findIndex(isAlways);
  return replies.length > 0 && [
    el("h3", {}, "Waiting to be played"),
    el("ol", {}, replies.map((reply, i) => el(always >= 0 && i > always ? "li.unreached" : "li", {"aria-current": reply.played > 0 && i !== always && "step"},
      reply.summary, " ", el("small", {}, timesLeft(reply), !reply.enqueued && ", of the user’s own", always >= 0 && i > always && ", not reached")))),
    repeat && always < 0 && el("p.hint", {}, "Then the user’s own from the start."),
  ];
};

const settingTable = (settings) => el("table", {"aria-label": "Settings"},
  el("thead", {}, el("tr", {}, ["setting", "value", "basis"].map((name) => el("th", {scope: "col"}, name)))),
  el("tbody", {}, settings.map(({name, value, basis, where}) => el("tr." + basis, {},
    el("td", {}, code(name)), el("td", {}, value === null ? "–" : code(typeof value === "string" ? value : JSON.stringify(value))),
    el("td", {}, basis, where && el("div", {}, el(where.startsWith("-") ? "code.option" : "code", {}, where)))))));

// What is said of the requests of a token that are held, and the button that releases them.
const isHeld = ({complete, reason}) => !complete && reason.endsWith("held until released");
const releaseButton = (token) => el("button.release", {type: "button", "data-call": "POST release" + tokenQuery(token), "data-done": "Released.",
  title: `All requests of ${token || "no token"} that are held are answered`}, "Release");

// result is how a request went, in a class and a word.
const result = ({complete, status, broken, advice}) => {
  if (!complete) return ["wait", "…"];
  if (status === 0) return ["cut", "none"];
  return [broken ? "cut" : status >= 500 ? "bad" : status >= 400 || advice ? "odd" : "ok", String(status)];
};

// isFound reports whether a request has each word of a search in its status, method, URL or
// token. A status is also found by its class, as 5xx.
const isFound = (words, request) => {
  const {status, method, url, token} = request, [, word] = result(request);
  const text = [word, status > 0 && `${Math.floor(status / 100)}xx`, method, url, token || "no token"].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
};

// requestLine is what is in the row of a request that is not opened.
const requestLine = (r) => {
  const [kind, word] = result(r);
  return [el("b." + kind, {}, word), " ", el("span.u", {}, `${r.method} ${r.url}`), " ", el("span.t", {}, r.token || "no token"), " ", clock(r.at), " ",
    el("span.d", {}, r.complete && milliseconds(r.duration_ms)), " ",
    el("span.w", {}, r.advice ? el("i", {}, r.advice.title) : r.reason)];
};

// timing says what was answered, and when.
const timing = ({complete, status, duration_ms: ms}) => {
  if (!complete) return "There is no answer yet.";
  if (status === 0) return `No answer was sent; it was over ${milliseconds(ms)} after the request arrived.`;
  const known = $("statuses").querySelector(`[value="${status}"]`);
  return `${status}${known ? " " + known.textContent : ""}. The first byte was sent ${milliseconds(ms)} after the request arrived.`;
};

// bodyBox is what the journal has of the body of an answer, with what was not sent of it
// crossed out.
const bodyBox = ({method, answer: {body, bytes, sent}}) => {
  const raw = new TextEncoder().encode(body), isCut = sent < bytes && method !== "HEAD";
  const [text, end] = laidOut(body, isCut ? new TextDecoder().decode(raw.slice(0, sent)).length : body.length);
  const cut = end < text.length && el("del", {}, text.slice(end)), pre = el("pre", {tabindex: 0, "aria-label": "The body"}, text.slice(0, end), cut);
  if (cut) requestAnimationFrame(() => (pre.scrollTop = cut.offsetTop - pre.offsetTop - pre.clientHeight / 2)); // when it is in the page
  return el("div.wide", {}, el("h3", {}, "Body"), el("p", {},
    method === "HEAD" ? `An answer to HEAD has no body. To GET it would have these ${bytes} bytes.`
      : !isCut ? `${bytes} bytes were sent.` : `${sent} of ${bytes} bytes were sent.` + (sent < raw.length ? " The rest is crossed out." : ""),
    raw.length < bytes && " This is its start."),
  pre, el("p.copies", {}, raw.length === bytes && copyButton(body, "Copy the body")));
};

const headerList = (header) => {
  const items = Object.keys(header).sort().flatMap((name) => header[name].map((value) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
  return items.length > 0 && el("dl", {}, items);
};
const adviceBox = ({title, text = "", command, fixture}) => el("div.fix", {}, el("h3", {}, title), text.split("\n").map((line) => el("p", {}, line)),
  [command, fixture].map((line) => line && el("p", {}, code(line), " ", copyButton(line))));

// Those headers are sent again that the answer depends on.
const repeated = ["Authorization", "Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers"];
const requestDetail = (r, origin) => {
  const headers = repeated.flatMap((name) => (r.header[name] ?? []).map((value) => `${name}: ${value}`));
  return [
    r.advice && adviceBox(r.advice),
    el("div.wide", {}, el("h3", {}, "Why"), el("p", {}, sentence(r.reason) || "It is being answered."), el("p.copies", {},
      r.token && [el("a", {href: tokenQuery(r.token), "data-go": true}, "User ", code(r.token)), " "],
      copyButton(curl(origin + r.url, headers, r.method), "Copy as curl"))),
    el("div", {}, el("h3", {}, "Received"), el("p", {}, code(`${r.method} ${r.url}`)), headerList(r.header)),
    el("div", {}, el("h3", {}, "Answered"), el("p", {}, timing(r)), r.answer && headerList(r.answer.header)),
    r.answer?.bytes > 0 && bodyBox(r),
  ];
};
