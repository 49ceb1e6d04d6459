// What the server said, and asking it again. The page is a client of /_fake/ like any other.

const fewRequests = 50;
const manyRequests = 1000;
const fewInTrouble = 100;

// state is what the server said last.
const state = {
  health: {},
  users: [],
  unknown: {}, // how tokens are answered that no user has
  list: {requests: []},
  trouble: {requests: []},
  held: [], // the requests of the chosen token that wait for their release
  replies: [], // those of the chosen token that wait to be played
  settings: null,
  shown: undefined, // the link to what all this was asked for
};

// opened are the requests that are opened: by number, with headers once these are known.
const opened = new Map();

async function ask(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} is answered ${response.status}`);
  return response;
}

async function get(path) {
  const response = await ask(path);
  return response.json();
}

async function getText(path) {
  const response = await ask(path);
  return response.text();
}

// ofToken is the path of a call for the chosen token.
function ofToken(path) {
  return path + tokenQuery(chosenToken());
}

function getRequests(filter) {
  return get("requests?" + new URLSearchParams({brief: true, ...filter}));
}

// getRequest asks for a request with its headers and its answer; undefined if there is none.
async function getRequest(number) {
  const isNumber = Number.isInteger(number) && number > 0 && number < 2 ** 31;
  if (!isNumber) return undefined;
  const {requests} = await get(`requests?since=${number - 1}&limit=1&oldest=true`);
  return requests.find((request) => request.number === number);
}

// getList asks for the latest requests that are selected. A search is done here.
async function getList() {
  const words = searchWords();
  const limit = parameter("rows") ? manyRequests : fewRequests;
  const filter = {limit: words.length > 0 ? manyRequests : limit};
  if (isOfToken()) filter.token = chosenToken();
  if (parameter("show") === "trouble") filter.advice = true;
  if (parameter("show") === "passed") filter.passed_on = true;
  const list = await getRequests(filter);
  if (words.length === 0) return list;
  const found = list.requests.filter((request) => isFound(words, request));
  return {
    requests: found.slice(0, limit),
    more: found.length > limit,
    found: found.length,
  };
}

// getHeld asks for the requests of a token that wait for their release.
async function getHeld(token) {
  if (!token) return [];
  const {requests} = await getRequests({token, status: 0, limit: manyRequests});
  return requests.filter(isHeld);
}

// load asks for what is shown.
async function load() {
  const shown = linkTo({});
  const token = chosenToken();
  const health = await get("health"); // alone, since the server may be away
  const [{users, unknown}, list, trouble, held, service] = await Promise.all([
    get("users"),
    getList(),
    getRequests({advice: true, limit: fewInTrouble}),
    getHeld(token),
    byId("service").open ? get("service") : undefined,
  ]);
  const none = {replies: []};
  const hasReplies = userOf(token, users) !== undefined;
  const [{replies}] = await Promise.all([
    // The user may be gone by now.
    hasReplies ? get("replies" + tokenQuery(token)).catch(() => none) : none,
    loadOpened(list.requests, shown !== state.shown),
  ]);
  if (linkTo({}) !== shown) {
    isWanted = true; // something else is shown by now
    return;
  }
  Object.assign(state, {health, users, unknown, list, trouble, held, replies, shown});
  if (service) state.settings = service.settings;
}

// loadOpened asks for what is not known of the requests that are opened. If something else
// is shown than before, those that do not belong to it are closed.
async function loadOpened(listed, isOther) {
  const rows = new Map(listed.map((request) => [request.number, request]));
  const numbers = [...opened.keys()];
  await Promise.all(numbers.map((number) => loadRequest(number, rows.get(number), isOther)));
}

async function loadRequest(number, row, isOther) {
  const known = opened.get(number);
  if (known?.complete && known.at === row?.at) return;
  const isOfAddress = number === Number(parameter("request"));
  const isKept = !isOther || row || isOfAddress;
  const request = isKept ? await getRequest(number) : undefined;
  if (!opened.has(number)) return; // it was closed meanwhile
  const isSame = request && (!known || known.at === request.at);
  if (isSame) {
    opened.set(number, request);
    return;
  }
  opened.delete(number);
  if (!isOfAddress) return;
  changeAddress({request: 0});
  byId("missing").textContent =
    `Request ${number} is not in the journal. It was cleared, or is too old, or never came.`;
}

let isRunning = false;
let isWanted = false;
let hasChanged = false;
let timer;
let rested = 0; // when the server may be asked again because of a change

// refresh asks for what is shown, and draws it. One is under way at most: what happens
// meanwhile is asked for by the next.
async function refresh() {
  isWanted = true;
  if (isRunning) return;
  clearTimeout(timer);
  timer = undefined;
  isRunning = true;
  let isAnswered = true;
  while (isWanted && isAnswered) {
    isWanted = false;
    hasChanged = false;
    const began = performance.now();
    isAnswered = await load().then(() => true, () => false);
    if (isAnswered && state.shown === linkTo({})) draw();
    // A server with much to tell is asked less often.
    const took = performance.now() - began;
    rested = performance.now() + 250 + 3 * took;
  }
  isRunning = false;
  drawConnection(isAnswered);
  if (!isAnswered) {
    timer = setTimeout(refresh, 2000);
  } else if (hasChanged) {
    refreshSoon();
  }
}

// refreshSoon is what changes on the server call for, of which there may be many.
function refreshSoon() {
  hasChanged = true;
  if (!isRunning) timer ??= setTimeout(refresh, Math.max(0, rested - performance.now()));
}

let events;

// followEvents has the server tell of changes. Whoever was away is told at once to ask again.
// While the page is hidden it holds no connection, of which a browser has few.
function followEvents() {
  events?.close();
  if (document.hidden) return;
  events = new EventSource("events");
  events.addEventListener("changed", refreshSoon);
  events.onerror = () => {
    refresh();
    const isRefused = events.readyState === EventSource.CLOSED; // as when too many follow
    if (isRefused) setTimeout(followEvents, 2000);
  };
}

let lastChange = Promise.resolve();

// change has the server change something, as "POST reset", and returns what is wrong, or the
// JSON of the answer. Each change is sent when the one before it is answered.
function change(call, body) {
  lastChange = lastChange.then(() => sendChange(call, body));
  return lastChange;
}

async function sendChange(call, body) {
  const [method, url] = call.split(" ");
  const response = await fetch(url, {method, body}).catch(() => null);
  if (!response) return {wrong: "The server does not answer."};
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return {answer};
  const mistakes = answer.mistakes?.map(mistakeLine).join("\n");
  return {wrong: mistakes || answer.detail || `The answer is ${response.status}.`};
}

// mistakeLine says what is wrong with a field of what was sent.
function mistakeLine({path = "", problem, instead}) {
  const field = path.split(".").pop();
  const what = [field, problem].filter(Boolean).join(": ");
  return instead ? what + "; " + instead : what;
}

// sendRequest sends what an app would send. It arrives like any other request, and may fail
// like it.
function sendRequest(token) {
  const path = new URL(campaignsURL()).pathname;
  fetch(path, {headers: {Authorization: "Bearer " + token}}).catch(() => {});
}

function campaignsURL() {
  return (state.health.base_url ?? "") + "/user/campaigns";
}
