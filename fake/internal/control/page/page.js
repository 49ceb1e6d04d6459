// What the page shows, what it asks the server for, and when. It is a client of
// /_fake/ like any other.
const everything = ["health", "users", "list", "replies", "campaigns", "settings"];
const few = 50, most = 1000, shownCampaigns = 20;

// state is what the server said last.
const state = {health: {}, users: [], unknown: {}, advised: 0, found: 0, more: false, unsearched: false, replies: [], held: 0, campaigns: null, settings: null};
const rows = new Map(); // the requests that are shown: by number, the item of the list

// What is shown stands in the URL, so that a reload keeps it and a link can be
// sent to others.
let address = location.search;
const query = () => new URLSearchParams(address);
const chosen = () => query().get("token") ?? "";
// Three things select requests, and each narrows what the others select: the chosen user,
// unless all are shown; whether they are in trouble; and the words of a search.
const shows = (what) => (query().get("show") ?? "").split("-").includes(what);
const isOfUser = () => chosen() !== "" && !shows("all");
const sought = () => (query().get("search") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
const opened = () => Number(query().get("request"));
const link = (change) => {
  const next = new URLSearchParams();
  const kept = {token: query().get("token"), show: query().get("show"), search: query().get("search"), rows: query().get("rows")};
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
  if (chosen() !== before) Object.assign(state, {replies: [], held: 0, campaigns: null});
  $("missing").textContent = "";
  $("search").value = query().get("search") ?? "";
  drawUsers();
  drawUser();
  ask("list", "replies", "users");
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

const get = async (path, read = JSON.parse) => {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} is answered ${response.status}`);
  return read(await response.text());
};
const ofToken = (path) => path + tokenQuery(chosen());
// list asks for the latest requests that are selected. A search is done here, among as many
// as the server lists.
const list = async (limit) => {
  const words = sought(), filter = {brief: true, limit: words.length > 0 ? most : limit};
  if (shows("trouble")) filter.advice = true;
  if (isOfUser()) filter.token = chosen();
  const all = await get("requests?" + new URLSearchParams(filter));
  if (words.length === 0) return all;
  const found = all.requests.filter((request) => isFound(words, request));
  const preflights = new Set(found.map(({preflight}) => preflight)); // each has no row beside its request
  return {...all, requests: found.slice(0, limit), more: found.length > limit, unsearched: all.more,
    found: found.filter(({number}) => !preflights.has(number)).length, advised: found.filter(({advice}) => advice).length};
};
// countHeld asks how many requests of a token are held.
const countHeld = async (token) => (await get("requests?" + new URLSearchParams({token, status: 0, brief: true, limit: most}))).requests.filter(isHeld).length;
// one asks for a request with its headers and its whole answer; undefined if there is none.
const one = async (number) => Number.isSafeInteger(number) && number > 0
  ? (await get(`requests?since=${number - 1}&before=${number + 1}&limit=1&bodies=true`)).requests[0] : undefined;
// whole asks for a request, and for the preflight that belongs to it.
const whole = async (number) => {
  const request = await one(number);
  return request && {...request, sentFirst: await one(request.preflight)};
};

// ask asks for parts of the state at once, and askLater four times in a second at
// most. What is wanted meanwhile is asked for next.
const wanted = new Set();
let running = false, urgent = false, pause;
const ask = (...parts) => {
  parts.forEach((part) => wanted.add(part));
  urgent = true;
  if (!running) run();
};
const askLater = (...parts) => {
  parts.forEach((part) => wanted.add(part));
  if (!running && !pause) run();
};
const run = async () => {
  clearTimeout(pause);
  const parts = new Set(wanted), began = performance.now();
  wanted.clear();
  running = true;
  urgent = false;
  let wait = 250;
  try {
    await refresh(parts);
    answers(true);
    if (events?.readyState === EventSource.OPEN) live(true);
    wait += 3 * (performance.now() - began); // a server with much to tell is asked less often
  } catch { // it is away, or busy
    answers(false);
    parts.forEach((part) => wanted.add(part));
    wait = 2000;
  }
  running = false;
  if (urgent) return run();
  pause = setTimeout(() => {
    pause = undefined;
    if (wanted.size > 0) run();
  }, wait);
};

// refresh asks for parts, and draws all of them at once.
const refresh = async (parts) => {
  const at = link({}), token = chosen(), asked = query().get("request");
  const when = (part, asked) => parts.has(part) ? asked() : undefined;
  const counts = !parts.has("list") && parts.has("counts");
  const [health, users, settings, listed, entry] = await Promise.all([
    when("health", () => get("health")),
    when("users", () => get("users")),
    when("settings", () => $("service").open ? get("service", exact) : undefined),
    counts ? list(few) : when("list", () => list(query().has("rows") ? most : few)),
    when("list", () => whole(Number(asked))),
  ]);
  if (health) state.health = health;
  if (users) [state.users, state.unknown] = [users.users, users.unknown];
  if (settings) state.settings = settings.settings;
  // Of a token that is unknown there is nothing to ask for.
  const user = userOf(token);
  const [replies, heldRequests, campaigns] = await Promise.all([
    when("replies", () => user ? get(ofToken("replies")) : {replies: []}),
    when("replies", () => token ? countHeld(token) : 0),
    when("campaigns", () => $("campaigns").open && (user || state.unknown.normal_answer)
      ? get(`${ofToken("campaigns")}&limit=${shownCampaigns}`, exact) : null),
  ]);
  if (link({}) !== at) return ask(...parts); // something else is shown by now
  if (replies) Object.assign(state, {replies: replies.replies, held: heldRequests});
  if (campaigns !== undefined) state.campaigns = campaigns;
  if (listed) {
    const {advised, found = 0, unsearched = false} = listed;
    Object.assign(state, {advised, found, unsearched});
  }
  if (counts) listed.requests.forEach((request) => rows.has(request.number) && put(request));
  else if (listed) drawList(listed, asked, entry);
  draw();
};

// Drawing.

const draw = () => {
  into($("failure"), state.health.reload, () => failure(state.health.reload));
  const base = state.health.base_url ?? "";
  if (base) $("base").textContent = base;
  $("copy-base").dataset.copy = base;
  $("version").textContent = state.health.version ?? "";
  $("zone").textContent = Intl.DateTimeFormat().resolvedOptions().timeZone;
  drawUsers();
  drawUser();
  drawCounts();
  drawNone();
  if (state.settings) into($("settings"), state.settings, () => settingTable(state.settings));
};
const userOf = (token) => state.users.find((user) => user.token === token);
const campaignsURL = () => (state.health.base_url ?? "") + "/user/campaigns";

const drawUsers = () => {
  const {users, unknown} = state;
  if (!unknown.summary) return;
  into($("users"), [users, unknown, chosen()], () => [users.map((user) => userItem(user, chosen())),
    el("li.other", {}, "any other token: " + unknown.summary),
    el("li.other", {id: "nobody", hidden: true}, unknown.normal_answer ? "No user has it; any token works." : `No user has it, and any other token is answered ${unknown.summary}.`)]);
  filter();
};
const filter = () => {
  const words = $("filter").value.toLowerCase();
  const items = [...$("users").children].filter((item) => item.id !== "nobody");
  for (const item of items) item.hidden = !item.textContent.toLowerCase().includes(words);
  if ($("nobody")) $("nobody").hidden = items.some((item) => !item.hidden);
};

const drawUser = () => {
  const section = $("user"), token = chosen(), before = section.dataset.token;
  if (token !== before) changeUser(section, token, before);
  if (!token || !state.unknown.summary) return;
  const user = userOf(token), answer = user?.normal_answer ?? state.unknown.normal_answer;
  $("summary").textContent = user ? plain(user.description || user.summary) : answer ? `No user has this token: ${state.unknown.summary}.` : "No user has this token.";
  $("copy-curl").dataset.copy = curl(campaignsURL(), ["Authorization: Bearer " + token]);
  $("copy-fetch").dataset.copy = `await fetch(${JSON.stringify(campaignsURL())}, {headers: {Authorization: ${JSON.stringify("Bearer " + token)}}}).then((answer) => answer.json())`;
  $("next").hidden = $("campaigns").hidden = !answer;
  $("normal").textContent = "A normal answer: " + answer + (state.replies.some(isAlways) ? ", not sent while a reply is played always" : "");
  $("copy-yaml").hidden = !user;
  into($("held"), [state.held, token], () => state.held > 0 && heldNote(state.held, token));
  into($("waiting"), [state.replies, user?.repeat], () => state.replies.length > 0 && [waitingLists(state.replies, user?.repeat),
    state.replies.some(({enqueued}) => enqueued) && el("button", {type: "button", "data-call": "DELETE " + ofToken("replies"), "data-done": "Back to normal."}, "Back to normal")]);
  if (state.campaigns) drawCampaigns(state.campaigns);
};
const changeUser = (section, token, before) => {
  const inside = section.contains(document.activeElement);
  section.dataset.token = token;
  section.hidden = !token;
  if (!token) {
    if (inside) [...$("users").querySelectorAll("a")].find((a) => a.search === tokenQuery(before))?.focus();
    return;
  }
  $("user-title").firstElementChild.textContent = token;
  $("copy-token").dataset.copy = token;
  $("reset-token").dataset.later = "POST " + ofToken("reset");
  $("reset-token").dataset.will = `The token ${token} is put back to how it was at the start`;
  markLater();
  $("whole").href = ofToken("campaigns");
  $("next").reset();
  draft.value = "";
  $("wrong").textContent = "";
  for (const id of ["whole-answer", "campaigns", "as-json", "editor"]) $(id).open = false;
  into($("table"), null, () => []);
  $("as-json").hidden = true;
  if (before !== undefined) section.scrollIntoView({block: "nearest"});
};
const drawCampaigns = (campaigns) => {
  into($("table"), campaigns, () => campaignTable(campaigns));
  into($("as-json").querySelector("pre"), campaigns.campaigns, () => JSON.stringify({campaigns: campaigns.campaigns}, null, 2));
  $("as-json").hidden = false;
};

const drawCounts = () => {
  const token = chosen(), own = isOfUser(), trouble = shows("trouble"), {advised} = state;
  const choice = (show, text, current, attributes = {}) => el("a", {href: link({show}), "data-go": true, "aria-current": current && "true", ...attributes}, text);
  into($("counts"), [link({}), advised], () => [
    (advised > 0 || token || trouble) && [choice(token && "all", "all", !own && (token || !trouble)), " "],
    token && [choice("", "of " + token, own, {class: "name"}), " "],
    (advised > 0 || trouble) && choice(token && !own ? "all-trouble" : "trouble", advised + " in trouble", trouble,
      {title: "Those that match no route, whose token is none, or whose answer a browser keeps from the page that asked"}),
  ]);
  const words = sought();
  $("found").textContent = words.length === 0 ? "" : `${state.found} found` + (state.unsearched ? " among the latest 1,000" : "");
  const clear = $("clear");
  clear.className = own ? "name" : "";
  clear.textContent = own ? "Clear " + token : "Clear";
  clear.dataset.later = "DELETE " + (own ? ofToken("requests") : "requests");
  clear.dataset.will = own ? `The requests of ${token} until then are cleared` : "All requests until then are cleared";
  clear.dataset.done = own ? "The requests of the token are cleared." : "The journal is empty.";
  markLater();
  into($("more"), [state.more, link({})], () => state.more && el("a", {href: link({rows: "all"}), "data-go": true}, "Show up to 1,000"));
};

const drawNone = () => {
  const line = curl(campaignsURL(), ["Authorization: Bearer " + (chosen() || state.users[0]?.token || "any-token")]);
  const nothing = rows.size === 0 && !shows("trouble") && sought().length === 0 && state.health.base_url, own = isOfUser() && chosen();
  into($("none"), [nothing, own, line], () => nothing && [
    el("p", {}, el("strong", {}, own ? `Nothing of ${own} has arrived yet.` : "Nothing has arrived yet."), " Point your app at ", code(state.health.base_url), ", or paste this:"),
    el("p", {}, code(line), " ", copyButton(line))]);
};

// The list of requests.

// drawList shows the requests of a list and no others, save the one that the URL
// asked for and that was opened meanwhile.
const drawList = (list, asked, entry) => {
  const number = Number(asked), isAsked = () => query().get("request") === asked;
  const first = document.body.dataset.loaded === undefined;
  const entries = new Map(list.requests.map((request) => [request.number, request]));
  if (entry) entries.set(number, entry);
  for (const [number, row] of rows) if (!entries.has(number) && (number !== opened() || isAsked())) remove(row);
  for (const request of entries.values()) put(request);
  state.more = list.more && !query().has("rows");
  document.body.dataset.loaded = true;
  if (entry && isAsked() && !isOpen(rows.get(number))) show(rows.get(number), entry);
  if (asked && !entry && isAsked()) {
    $("missing").textContent = `Request ${asked} is not in the journal. It was cleared, or is too old, or never came.`;
    remember({request: 0});
  }
  if (asked && first) requestAnimationFrame(() => (rows.get(number) ?? $("missing")).scrollIntoView());
};

// put shows what is known of a request, in the order of the numbers.
const put = (request, fresh) => {
  const {number} = request;
  let row = rows.get(number);
  if (row && row.request.at !== request.at) { // the numbers have started over
    remove(row);
    row = undefined;
  }
  if (row?.request.complete && !request.complete) return; // an event that was on its way
  if (!row) {
    row = el("li", {id: "r" + number}, el("a", {"aria-expanded": "false"}));
    rows.set(number, row);
    const list = $("requests");
    list.insertBefore(row, [...list.children].find((other) => numberOf(other) < number) ?? null);
    if (fresh) row.classList.add("fresh");
  }
  row.request = request;
  if (request.preflight) foldPreflight(request.preflight, true);
  row.hidden = folded.has(number) && number !== opened();
  const a = row.firstElementChild, href = link({request: number});
  if (a.getAttribute("href") !== href) a.setAttribute("href", href);
  if (into(a, brief(request), () => requestLine(request)) && isOpen(row)) unfold(row);
  putRelease(row);
};
// putRelease puts the button that releases a request beside it, or takes it away.
const putRelease = (row) => {
  const a = row.firstElementChild, button = row.querySelector(":scope > .release"), canRelease = isHeld(row.request);
  row.classList.toggle("held", canRelease);
  if (canRelease && !button) a.after(releaseButton(row.request.token));
  if (canRelease || !button) return;
  if (button === document.activeElement) a.focus();
  button.remove();
};
const brief = ({number, at, token, method, url, status, reason, duration_ms, complete, broken, advice, preflight}) =>
  ({number, at, token, method, url, status, reason, duration_ms, complete, broken, advice: advice && {title: advice.title}, preflight});
// A preflight has no row of its own while there is the row of its request.
const folded = new Set();
const foldPreflight = (number, yes) => {
  folded[yes ? "add" : "delete"](number);
  const row = rows.get(number);
  if (row) row.hidden = yes && number !== opened();
};

const isOpen = (row) => row.firstElementChild.ariaExpanded === "true";
const numberOf = (row) => Number(row.id.slice(1));
const detailOf = (row) => row.querySelector(":scope > .detail");
// show opens a row with a request that has its headers.
const show = (row, request) => {
  row.firstElementChild.ariaExpanded = "true";
  const detail = detailOf(row) ?? row.appendChild(el("div.detail", {}));
  into(detail, request, () => requestDetail(request, request.sentFirst, new URL(state.health.base_url).origin));
};
const unfold = async (row) => {
  row.firstElementChild.ariaExpanded = "true";
  const request = await whole(numberOf(row)).catch(() => null);
  if (!isOpen(row) || !row.isConnected) return; // it was closed meanwhile
  if (request) return show(row, request);
  fold(row);
  notice(request === null ? "The server does not answer." : "The request is no longer in the journal.");
};
const fold = (row) => {
  detailOf(row)?.remove();
  row.firstElementChild.ariaExpanded = "false";
  if (numberOf(row) === opened()) remember({request: 0});
};
const remove = (row) => {
  row.remove();
  rows.delete(numberOf(row));
  foldPreflight(row.request.preflight, false);
  if (numberOf(row) === opened() && isOpen(row)) remember({request: 0});
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

// call changes something, and returns what is wrong, or the JSON of the answer. What
// waits goes first, since it was asked for first.
const call = (what, data) => {
  waits.forEach(({send}) => send());
  return change(what, data);
};
// Each change is sent when the one before it is answered.
let changed = Promise.resolve();
const change = (what, data) => changed = changed.then(() => sendChange(what, data));
const sendChange = async (what, data) => {
  const [method, url] = what.split(" ");
  const response = await fetch(url, {method, body: data}).catch(() => null);
  if (!response) return {wrong: "The server does not answer."};
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return {answer};
  const words = ({path = "", problem, instead}) => [path.split(".").pop(), problem].filter(Boolean).join(": ") + (instead ? "; " + instead : "");
  return {mistakes: answer.mistakes, wrong: answer.mistakes?.map(words).join("\n") || answer.detail || `The answer is ${response.status}.`};
};

// later sends a request that takes something away after five seconds, in which it can
// be called back. If the page is left meanwhile, it is not sent.
const waits = new Map(); // by request, how to end the wait, and to send it now
const later = ({later: what, will, done}, button) => {
  if (waits.has(what)) return;
  const end = () => {
    clearTimeout(timer);
    waits.delete(what);
    if (bar.contains(document.activeElement)) button.focus();
    bar.remove();
    markLater();
  };
  const send = async () => {
    end();
    notice((await change(what)).wrong ?? done);
    ask(...everything);
  };
  const bar = el("p", {}, el("span", {}, will + " in five seconds."), " ", actButton("Undo", end), " ", actButton("Now", send));
  const timer = setTimeout(send, 5000);
  waits.set(what, {end, send});
  $("later").append(bar);
  markLater();
};
addEventListener("pagehide", () => waits.forEach(({end}) => end()));
const markLater = () => document.querySelectorAll("[data-later]").forEach((button) => (button.ariaDisabled = waits.has(button.dataset.later)));

// enqueue has a reply played for the chosen token, and returns what is wrong. If
// nothing is, it says when the reply is played.
const enqueue = async (reply, next) => {
  const token = chosen(), always = JSON.parse(reply).times === "always";
  const hasAlways = (replies) => replies.some((waiting) => waiting.enqueued && isAlways(waiting));
  const hadAlways = hasAlways(state.replies);
  const {wrong, answer} = await call("POST " + ofToken("replies"), reply);
  ask("users", "replies");
  if (wrong) return wrong;
  if (chosen() === token) {
    state.replies = answer.replies;
    drawUser();
  }
  // One that is played always is the last of those that were enqueued.
  const goesOn = !always && hasAlways(answer.replies);
  const before = answer.replies.filter(({enqueued}) => enqueued).length - (goesOn ? 2 : 1);
  notice((before > 0 ? `It waits behind ${before} other ${before === 1 ? "reply" : "replies"}.` : next) +
    (always && hadAlways ? " It takes the place of the one that was played always." : "") +
    (goesOn ? " Then the one that is played always goes on." : ""));
};

document.addEventListener("click", async (event) => {
  const target = event.target.closest("a,button");
  if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (target.dataset.copy !== undefined) return copy(target.dataset.copy);
  if (target.dataset.later) return later({...target.dataset}, target);
  if (target.dataset.call) {
    hush();
    const {call: what, done, failed} = target.dataset;
    const {wrong} = await call(what);
    notice(wrong ? failed ?? wrong : done);
    return ask(...everything);
  }
  if (target.dataset.reply) {
    hush();
    const wrong = await enqueue(target.dataset.reply, `The next answer: ${target.textContent}.`);
    return wrong && notice(wrong);
  }
  if (target.dataset.go !== undefined) {
    event.preventDefault();
    hush();
    return go(target.href, true);
  }
  const row = target.parentElement;
  if (row?.parentElement !== $("requests")) return;
  event.preventDefault();
  if (isOpen(row)) return fold(row);
  remember({request: numberOf(row)});
  unfold(row);
});

$("next").addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = event.target.elements, reply = {}, status = given.status.value.trim();
  if (status) reply.status = /^\d+$/.test(status) ? Number(status) : status;
  if (given.fault.value) reply.fault = given.fault.value;
  if (given.delay.value.trim()) reply.delay = given.delay.value.trim();
  const body = bodyOf(given.body.value), headers = headersOf(given.headers.value);
  if (given.body.value) reply.body = body.value;
  if (headers) reply.headers = headers;
  reply.times = given.for.value === "always" ? "always" : Number(given.for.value);
  hush();
  const wrong = await enqueue(JSON.stringify(reply), "It is played next.");
  if (wrong) $("wrong").textContent = wrong;
  else event.target.reset(); // or "always" would hold for the next one too
});
$("next").addEventListener("input", ({target}) => {
  $("wrong").textContent = "";
  if (target.name === "body") $("body-kind").textContent = target.value && bodyOf(target.value).kind;
});
$("next").addEventListener("reset", () => ($("body-kind").textContent = ""));
// bodyOf is what is typed as the body of an answer: JSON if it is that, else text. A JSON
// text is sent as it is typed, with its quotes.
const bodyOf = (typed) => {
  try {
    const value = exact(typed);
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
$("filter").addEventListener("input", filter);
$("search").addEventListener("input", () => {
  remember({search: $("search").value.trim()});
  ask("list");
});

// The editor of a user.
const draft = $("edit").querySelector("textarea");
const fillEditor = async () => {
  const token = chosen(), known = userOf(token);
  $("mistakes").replaceChildren();
  draft.readOnly = true; // until the text is there, or it would replace what is typed
  const user = async () => known ? (await get(ofToken("users"), exact)).user
    : state.unknown.normal_answer ? {generate: {count: 10}} : {};
  try {
    const text = JSON.stringify(await user(), null, 2);
    if (chosen() === token) draft.value = text;
  } catch {
    notice("The server does not answer.");
  }
  if (chosen() === token) draft.readOnly = false;
};
$("editor").addEventListener("toggle", () => $("editor").open ? fillEditor() : (draft.readOnly = true));
$("edit").addEventListener("reset", (event) => {
  event.preventDefault();
  fillEditor();
});
$("edit").addEventListener("submit", async (event) => {
  event.preventDefault();
  hush();
  const token = chosen(), {wrong, mistakes} = await call("PUT " + ofToken("users"), draft.value);
  if (chosen() !== token) return;
  $("mistakes").replaceChildren(...!wrong ? [] : mistakes ? [mistakeList(mistakes)] : [wrong]);
  if (!wrong) {
    notice("The user is saved, until its token or everything is reset.");
    fillEditor();
  }
  ask(...everything);
});
$("copy-yaml").addEventListener("click", async () => {
  const yaml = await get(ofToken("users") + "&format=yaml", String).catch(() => null);
  if (yaml) copy(yaml);
  else notice("The server does not answer.");
});

// Keys. Those of a field are left to it.
const visible = (items) => [...items].filter((item) => item.checkVisibility());
const step = (by) => {
  const all = visible($("requests").children), at = all.indexOf(document.activeElement.closest("#requests > li"));
  all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]?.firstElementChild.focus();
};
const close = () => {
  const row = document.activeElement.closest("#requests > li"), open = [...rows.values()].filter(isOpen);
  const request = open.includes(row) ? row : open[0];
  const details = [...document.querySelectorAll("main details[open]")].findLast((it) => !it.closest("#requests"));
  if (request) {
    fold(request);
    request.firstElementChild.focus();
  } else if (details) {
    details.open = false;
    details.firstElementChild.focus();
  } else if (chosen()) go("./", true);
};
document.addEventListener("keydown", (event) => {
  const {key, target} = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (target.matches("input,textarea,select")) return key === "Escape" && (target.type !== "search" || !target.value) && target.blur();
  if (key === "Escape") close();
  else if (key === "j") step(1);
  else if (key === "k") step(-1);
  else if (key === "/") {
    event.preventDefault();
    $("filter").focus();
  } else if (key === "s") {
    event.preventDefault();
    $("search").focus();
  }
});
$("campaigns").addEventListener("toggle", () => $("campaigns").open && ask("campaigns"));
$("service").addEventListener("toggle", () => $("service").open && ask("settings"));
addEventListener("popstate", () => location.search !== address && go(location.href, false));

// Following what happens.

let events;
// answers says whether the server answers, and since when it does not.
const answers = (yes) => {
  if (yes || !$("lost").hasChildNodes()) $("lost").replaceChildren(...yes ? [] : [el("strong", {}, "The server does not answer."), " What is shown is from before ",
    clock(new Date().toISOString()), ". The page goes on asking."]);
};
const live = (yes) => {
  $("live").textContent = yes ? "live" : "connecting";
  $("live").classList.toggle("lost", !yes);
};
// Whoever was away asks once for everything. While the page is hidden it holds no
// connection, of which a browser has few.
const follow = () => {
  events?.close();
  if (document.hidden) return;
  events = new EventSource("events");
  events.onopen = () => ask(...everything);
  events.onerror = () => {
    live(false);
    if (events.readyState !== EventSource.CLOSED) return ask("health");
    ask(...everything); // as when too many follow
    setTimeout(follow, 2000);
  };
  events.addEventListener("changed", () => askLater(...everything));
};
$("search").value = query().get("search") ?? "";
document.addEventListener("visibilitychange", follow);
if (document.hidden) ask(...everything);
follow();
