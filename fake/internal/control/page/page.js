// What the page shows, what it asks the server for, and when. It is a client of
// /_fake/ like any other.
const few = 50, most = 1000, fewInTrouble = 100;

// state is what the server said last.
const state = {health: {}, users: [], unknown: {}, list: {requests: []}, trouble: {requests: []}, held: [], replies: [], settings: null};
// opened are the requests that are opened: by number, with headers once these are known.
const opened = new Map();

// What is shown stands in the URL, so that a reload keeps it and a link can be sent to
// others: the chosen user, which requests are shown, the words of a search, and the
// request that was opened last.
let address = location.search;
const query = (name) => new URLSearchParams(address).get(name) ?? "";
const chosen = () => query("token");
const isOfUser = () => chosen() !== "" && query("show") === "";
const sought = () => query("search").toLowerCase().split(/\s+/).filter(Boolean);
const link = (change) => {
  const next = new URLSearchParams();
  const kept = {token: chosen(), show: query("show"), search: query("search"), rows: query("rows")};
  for (const [name, value] of Object.entries({...kept, ...change})) if (value) next.set(name, value);
  return next.size ? "?" + next : "./";
};
const remember = (change) => {
  address = link(change).replace("./", "");
  history.replaceState(null, "", address || "./");
};
const go = (href, push) => {
  const before = chosen();
  address = new URL(href, location.href).search;
  if (push) history.pushState(null, "", address || "./");
  if (chosen() !== before) Object.assign(state, {replies: [], held: []});
  if (query("request")) opened.set(Number(query("request")), null);
  $("missing").textContent = "";
  $("search").value = query("search");
  drawUsers();
  drawUser();
  drawCounts();
  refresh();
};

const notice = (text) => {
  $("notice").textContent = text;
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => ($("notice").textContent = ""), 4000);
};
// What was said of one thing is over when another is done.
const hush = () => {
  notice("");
  $("wrong").textContent = "";
};

// Asking.

const get = async (path) => {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} is answered ${response.status}`);
  return response.json();
};
const ofToken = (path) => path + tokenQuery(chosen());
const requests = (filter) => get("requests?" + new URLSearchParams({brief: true, ...filter}));
// one asks for a request with its headers and its answer; undefined if there is none.
const one = async (number) => Number.isInteger(number) && number > 0 && number < 2 ** 31
  ? (await get(`requests?since=${number - 1}&limit=1&oldest=true`)).requests.find((request) => request.number === number) : undefined;
// list asks for the latest requests that are selected. A search is done here.
const list = async () => {
  const words = sought(), limit = query("rows") ? most : few, filter = {limit: words.length > 0 ? most : limit};
  if (isOfUser()) filter.token = chosen();
  if (query("show") === "trouble") filter.advice = true;
  const all = await requests(filter);
  if (words.length === 0) return all;
  const found = all.requests.filter((request) => isFound(words, request));
  return {requests: found.slice(0, limit), more: found.length > limit, found: found.length};
};

// refresh asks for what is shown, and draws it. One is under way at most: what happens
// meanwhile is asked for by the next. A server with much to tell is asked less often.
let isRunning = false, isWanted = false, hasChanged = false, timer, rested = 0;
const refresh = async () => {
  isWanted = true;
  if (isRunning) return;
  clearTimeout(timer);
  timer = undefined;
  isRunning = true;
  let isAnswered = true;
  while (isWanted && isAnswered) {
    isWanted = hasChanged = false;
    const began = performance.now();
    isAnswered = await load().then(() => true, () => false);
    if (isAnswered && state.shown === link({})) draw();
    rested = performance.now() + 250 + 3 * (performance.now() - began);
  }
  isRunning = false;
  answers(isAnswered);
  if (!isAnswered) timer = setTimeout(refresh, 2000);
  else if (hasChanged) refreshSoon();
};
// refreshSoon is what changes on the server call for, of which there may be many.
const refreshSoon = () => {
  hasChanged = true;
  if (!isRunning) timer ??= setTimeout(refresh, Math.max(0, rested - performance.now()));
};

const load = async () => {
  const shown = link({}), token = chosen(), health = await get("health"); // alone, since the server may be away
  const [users, listed, trouble, held, settings] = await Promise.all([
    get("users"), list(), requests({advice: true, limit: fewInTrouble}),
    token ? requests({token, status: 0, limit: most}) : {requests: []},
    $("service").open ? get("service") : undefined,
  ]);
  const none = {replies: []}, isKnown = userOf(token, users.users);
  const [{replies}] = await Promise.all([
    isKnown ? get("replies" + tokenQuery(token)).catch(() => none) : none, // the user may be gone by now
    loadOpened(listed.requests, shown !== state.shown),
  ]);
  if (link({}) !== shown) return (isWanted = true); // something else is shown by now
  Object.assign(state, {health, ...users, list: listed, trouble, held: held.requests.filter(isHeld), replies, shown});
  if (settings) state.settings = settings.settings;
};
// loadOpened asks for what is not known of the requests that are opened. If something else
// is shown than before, those that do not belong to it are closed.
const loadOpened = async (listed, isOther) => {
  const lines = new Map(listed.map((request) => [request.number, request]));
  await Promise.all([...opened].map(async ([number, known]) => {
    const line = lines.get(number), isAsked = number === Number(query("request"));
    if (known?.complete && line?.at === known.at) return;
    const entry = isOther && !line && !isAsked ? undefined : await one(number);
    if (!opened.has(number)) return; // it was closed meanwhile
    if (entry && (!known || known.at === entry.at)) return opened.set(number, entry);
    opened.delete(number);
    if (!isAsked) return;
    remember({request: 0});
    $("missing").textContent = `Request ${number} is not in the journal. It was cleared, or is too old, or never came.`;
  }));
};

// Drawing.

// say puts a text into an element, unless it is there: what is selected in it stays so.
const say = (id, text) => {
  if ($(id).textContent !== text) $(id).textContent = text;
};
const draw = () => {
  const isFirst = !document.body.classList.contains("drawn"), {health} = state;
  into($("failure"), health.reload ?? {}, () => failure(health.reload));
  say("base", $("copy-base").dataset.copy = health.base_url);
  say("version", health.version);
  say("zone", Intl.DateTimeFormat().resolvedOptions().timeZone);
  drawUsers();
  drawUser();
  drawCounts();
  drawRequests(isFirst);
  drawNone();
  if (state.settings) into($("settings"), state.settings, () => settingTable(state.settings));
  document.body.classList.add("drawn");
  if (isFirst && opened.size > 0) requestAnimationFrame(() => $("r" + query("request"))?.scrollIntoView());
};
// userOf is the user of a token, or the one that it is like by what stands before its tilde.
const userOf = (token, users = state.users) => [token, token.split("~")[0]].map((own) => users.find((user) => user.token === own)).find(Boolean);
const campaignsURL = () => (state.health.base_url ?? "") + "/user/campaigns";

const drawUsers = () => {
  const {users, unknown} = state;
  each($("users"), users, ({token}) => token, (item, user, isNew) => {
    if (isNew) item.append(el("a", {href: tokenQuery(user.token), "data-go": true}));
    const a = item.firstElementChild;
    if (user.token === chosen()) a.ariaCurrent = "true";
    else a.ariaCurrent = null;
    into(a, user, () => userLine(user));
  });
  say("unknown", unknown.summary ? "any other token: " + unknown.summary : "");
  filter();
};
const filter = () => {
  const typed = $("filter").value.trim(), words = typed.toLowerCase(), {unknown} = state;
  for (const item of $("users").children) item.hidden = !item.textContent.toLowerCase().includes(words);
  const isNobody = typed !== "" && [...$("users").children].every((item) => item.hidden);
  into($("nobody"), [isNobody && typed, unknown], () => isNobody && [
    "No user has ", el("a", {href: tokenQuery(typed), "data-go": true}, code(typed)), unknown.normal_answer ? "; any token works." : `, and any other token is answered ${unknown.summary}.`]);
};

const drawUser = () => {
  const section = $("user"), token = chosen(), before = section.dataset.token ?? "";
  if (token !== before) changeUser(section, token, before);
  if (!token || !state.unknown.summary) return;
  const user = userOf(token), answer = user?.normal_answer ?? state.unknown.normal_answer, {replies, held} = state;
  say("summary", user ? plain(user.description || user.summary) : answer ? `No user has this token: ${state.unknown.summary}.` : "No user has this token.");
  const isSaid = user && !user.description && user.summary === answer;
  say("normal", answer && !isSaid ? `A normal answer: ${answer}${replies.some(isAlways) ? ", not sent while a reply is played always" : ""}.` : "");
  $("copy-curl").dataset.copy = curl(campaignsURL(), ["Authorization: Bearer " + token]);
  $("copy-fetch").dataset.copy = `await fetch(${JSON.stringify(campaignsURL())}, {headers: {Authorization: ${JSON.stringify("Bearer " + token)}}}).then((answer) => answer.json())`;
  $("next").hidden = !answer;
  $("copy-yaml").hidden = !user;
  into($("held"), [held.length, token], () => held.length > 0 && el("p", {}, counted(held.length, "request"), held.length === 1 ? " is" : " are", " held until released. ", releaseButton(token)));
  into($("waiting"), [replies, user?.repeat], () => [waitingList(replies, user?.repeat),
    replies.some(({enqueued}) => enqueued) && el("button", {type: "button", "data-call": "DELETE " + ofToken("replies"), "data-done": "Back to normal."}, "Back to normal")]);
};
const changeUser = (section, token, before) => {
  const hadFocus = section.contains(document.activeElement);
  section.dataset.token = token;
  section.hidden = !token;
  if (!token) {
    if (hadFocus) [...$("users").querySelectorAll("a")].find((a) => a.search === tokenQuery(before))?.focus();
    return;
  }
  $("user-title").firstElementChild.textContent = token;
  $("copy-token").dataset.copy = $("send").dataset.send = token;
  $("reset-token").dataset.call = "POST " + ofToken("reset");
  $("next").reset();
  $("wrong").textContent = "";
  $("whole-answer").open = false;
  if (state.shown !== undefined) section.scrollIntoView({block: "nearest"});
};

const drawCounts = () => {
  const token = chosen(), own = isOfUser(), show = query("show"), {trouble, list: {found}} = state, count = trouble.requests.length;
  const choice = (name, text, attributes) => el("a", {href: link({show: name}), "data-go": true, "aria-current": show === name && "true", ...attributes}, text);
  into($("counts"), [link({}), count, trouble.more], () => [
    token && choice("", "of " + token, {class: "name"}),
    (token || count > 0 || show) && choice(token && "all", "all"),
    (count > 0 || show === "trouble") && choice("trouble", `${count}${trouble.more ? "+" : ""} in trouble`,
      {class: count > 0 && "odd", title: "Those that match no route, whose token is none, or whose answer a browser keeps from the page that asked"}),
  ]);
  say("found", found === undefined ? "" : `${found} found`);
  say("clear", own ? "Clear " + token : "Clear");
  $("clear").className = own ? "name" : "";
  $("clear").dataset.call = "DELETE " + (own ? ofToken("requests") : "requests");
  $("clear").dataset.done = own ? "The requests of the token are cleared." : "The journal is empty.";
  into($("more"), [state.list.more, link({})], () => state.list.more && !query("rows") && el("a", {href: link({rows: "all"}), "data-go": true}, "Show up to 1,000"));
};

const drawNone = () => {
  const url = state.health.base_url, own = isOfUser() && chosen(), token = chosen() || state.users[0]?.token || "any-token";
  const nothing = $("requests").children.length === 0 && query("show") !== "trouble" && sought().length === 0;
  const header = "Authorization: Bearer " + token, line = curl(campaignsURL(), [header]);
  into($("none"), [nothing, own, line], () => nothing && [
    el("h3", {}, own ? `Nothing of ${own} has arrived yet.` : "Nothing has arrived yet."),
    el("ol", {},
      el("li", {}, "Point your app at ", code(url), "."),
      el("li", {}, "Have it send ", code(header), own ? "." : ", or the token of another user."),
      el("li", {}, "Or try it: ", code(line), el("p.copies", {}, copyButton(line), el("button", {type: "button", "data-send": token}, "Send it from here"))))]);
};

// The list of requests.

const keyOf = ({number, at}) => `${number}@${at}`; // after a reset the numbers start over
const numberOf = (row) => Number(row.id.slice(1));
const drawRequests = (isFirst) => {
  const listed = new Set(state.list.requests.map(({number}) => number));
  const others = [...opened.values()].filter((entry) => entry && !listed.has(entry.number));
  const all = [...state.list.requests, ...others].sort((a, b) => b.number - a.number);
  each($("requests"), all, keyOf, (row, request, isNew) => drawRow(row, request, isNew, isNew && !isFirst && request.number > drawRequests.latest));
  drawRequests.latest = all[0]?.number ?? 0;
};
drawRequests.latest = 0;
const drawRow = (row, request, isNew, isFresh) => {
  const {number, token} = request, entry = opened.get(number), canRelease = isHeld(request);
  if (isNew) {
    row.id = "r" + number;
    row.append(el("a", {}));
    if (isFresh) row.classList.add("fresh");
  }
  const a = row.firstElementChild, button = row.querySelector(":scope > .release"), detail = row.querySelector(":scope > .detail");
  a.setAttribute("href", link({request: number}));
  a.ariaExpanded = String(opened.has(number));
  const {at, method, url, status, reason, duration_ms, complete, broken, advice} = request;
  into(a, [at, token, method, url, status, reason, duration_ms, complete, broken, advice?.title], () => requestLine(request));
  row.classList.toggle("held", canRelease);
  if (canRelease && !button) a.after(releaseButton(token));
  if (!canRelease && button) {
    if (button === document.activeElement) a.focus();
    button.remove();
  }
  if (entry) into(detail ?? row.appendChild(el("div.detail", {})), entry, () => requestDetail(entry, new URL(state.health.base_url).origin));
  else if (!opened.has(number)) detail?.remove();
};
const toggle = (row) => {
  const number = numberOf(row);
  if (opened.delete(number)) {
    if (number === Number(query("request"))) remember({request: 0});
  } else {
    opened.set(number, null);
    remember({request: number});
  }
  drawRequests();
  refresh();
};

// What is done with the page.

const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // as on a page that is not from this machine
    const area = el("textarea", {}, text);
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  notice("Copied.");
};

// call changes something, and returns what is wrong, or the JSON of the answer. Each
// change is sent when the one before it is answered.
let changed = Promise.resolve();
const call = (what, data) => changed = changed.then(async () => {
  const [method, url] = what.split(" ");
  const response = await fetch(url, {method, body: data}).catch(() => null);
  if (!response) return {wrong: "The server does not answer."};
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return {answer};
  const words = ({path = "", problem, instead}) => [path.split(".").pop(), problem].filter(Boolean).join(": ") + (instead ? "; " + instead : "");
  return {wrong: answer.mistakes?.map(words).join("\n") || answer.detail || `The answer is ${response.status}.`};
});

// enqueue has a reply played for the chosen token, and returns what is wrong. If
// nothing is, it says when the reply is played.
const enqueue = async (reply, next) => {
  hush();
  const {wrong, answer} = await call("POST " + ofToken("replies"), reply);
  refresh();
  if (wrong) return wrong;
  notice(answer.before > 0 ? `It waits behind ${answer.before} other ${answer.before === 1 ? "reply" : "replies"}.` : next);
};

document.addEventListener("click", async (event) => {
  const target = event.target.closest("a,button"), {copy: text, send: token, call: what, reply, go: href} = target?.dataset ?? {};
  if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (text !== undefined) return copy(text);
  if (token) return send(token);
  if (what) {
    hush();
    const {done} = target.dataset, {wrong} = await call(what);
    notice(wrong ?? done);
    return refresh();
  }
  if (reply) {
    const wrong = await enqueue(reply, `The next answer: ${target.textContent}.`);
    return wrong && notice(wrong);
  }
  const isRow = target.parentElement?.parentElement === $("requests");
  if (href === undefined && !isRow) return;
  event.preventDefault();
  hush();
  if (isRow) toggle(target.parentElement);
  else go(target.href, true);
});

$("next").addEventListener("submit", async (event) => {
  event.preventDefault();
  const {elements: given} = event.target, reply = {}, status = given.status.value.trim(), headers = headersOf(given.headers.value);
  if (status) reply.status = /^\d+$/.test(status) ? Number(status) : status;
  if (given.fault.value) reply.fault = given.fault.value;
  if (given.delay.value.trim()) reply.delay = given.delay.value.trim();
  if (given.body.value) reply.body = bodyOf(given.body.value).value;
  if (headers) reply.headers = headers;
  reply.times = given.for.value === "always" ? "always" : Number(given.for.value);
  const wrong = await enqueue(JSON.stringify(reply), "It is played next.");
  if (wrong) $("wrong").textContent = wrong;
  else event.target.reset(); // or "always" would hold for the next one too
});
$("next").addEventListener("input", ({target}) => {
  $("wrong").textContent = "";
  if (target.name === "body") $("body-kind").textContent = target.value && bodyOf(target.value).kind;
});
$("next").addEventListener("reset", () => ($("body-kind").textContent = ""));
// bodyOf is what is typed as the body of an answer: JSON if it is that, with all digits of
// its numbers where the browser can, else text. A JSON text is sent with its quotes.
const bodyOf = (typed) => {
  try {
    const value = JSON.parse(typed, (key, value, {source} = {}) =>
      typeof value === "number" && source && source !== String(value) && JSON.rawJSON ? JSON.rawJSON(source) : value);
    if (typeof value !== "string") return {value, kind: "It is sent as JSON."};
  } catch { // it is text
  }
  return {value: typed, kind: "It is sent as text."};
};
// headersOf reads a header from each line. The server refuses what is not one.
const headersOf = (typed) => {
  const headers = new Map();
  for (const line of typed.split("\n").filter((line) => line.trim())) {
    const [, name, value] = /^([^:]*)(?::(.*))?$/.exec(line);
    headers.set(name.trim(), [...headers.get(name.trim()) ?? [], value?.trim() ?? null]);
  }
  return headers.size > 0 && Object.fromEntries([...headers].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
};

$("copy-yaml").addEventListener("click", async () => {
  const token = chosen(), {user} = await get(ofToken("users")).catch(() => ({}));
  if (user) copy(JSON.stringify({users: {[token]: user}}, null, 2)); // YAML reads JSON
  else notice("The server does not answer.");
});
// send sends what an app would send. It arrives like any other request, and may fail like it.
const send = (token) => fetch(new URL(campaignsURL()).pathname, {headers: {Authorization: "Bearer " + token}}).catch(() => {});
$("filter").addEventListener("input", filter);
$("search").addEventListener("input", () => {
  remember({search: $("search").value.trim()});
  refresh();
});
$("service").addEventListener("toggle", refresh);
addEventListener("popstate", () => location.search !== address && go(location.href, false));

// Following what happens.

// answers says whether the server answers, and since when it does not.
const answers = (yes) => {
  const isFollowed = yes && events?.readyState === EventSource.OPEN;
  say("live", isFollowed ? "live" : "connecting");
  $("live").classList.toggle("lost", !isFollowed);
  if (yes) $("lost").replaceChildren();
  else if (!$("lost").hasChildNodes()) $("lost").append(el("strong", {}, "The server does not answer."), " What is shown is from before ",
    clock(new Date().toISOString()), ". The page goes on asking.");
};

// Whoever was away is told at once to ask again. While the page is hidden it holds no
// connection, of which a browser has few.
let events;
const follow = () => {
  events?.close();
  if (document.hidden) return;
  events = new EventSource("events");
  events.addEventListener("changed", refreshSoon);
  events.onerror = () => {
    refresh();
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, 2000); // as when too many follow
  };
};
$("search").value = query("search");
if (query("request")) opened.set(Number(query("request")), null);
document.addEventListener("visibilitychange", follow);
if (document.hidden) refresh();
follow();
