// The server's answers. The page is a client of /_fake/ like any other.

const fewRequests = 50;
const manyRequests = 1000;

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

// getRequests asks for requests without headers and bodies, and with long URLs shortened.
function getRequests(filter) {
  return getWholeRequests({...filter, brief: true});
}

function getWholeRequests(filter) {
  return get("requests?" + new URLSearchParams(filter));
}

// getRequest asks for a request with its headers and its answer; undefined if there is none.
async function getRequest(number) {
  const isNumber = Number.isInteger(number) && number > 0 && number < 2 ** 31;
  if (!isNumber) return undefined;
  const {requests} = await getWholeRequests({since: number - 1, limit: 1, oldest: true});
  return requests.find((request) => request.number === number);
}

// getList asks for the latest requests that are selected.
async function getList() {
  const limit = parameter("rows") ? manyRequests : fewRequests;
  const filter = {};
  if (isOfToken()) filter.token = chosenToken();
  if (parameter("show") === "trouble") filter.advice = true;
  if (parameter("show") === "passed") filter.passed_on = true;
  const words = searchWords();
  if (words.length === 0) return getRequests({...filter, limit});
  const requests = await getSearched(filter);
  const found = requests.filter((request) => isFound(words, request));
  return {
    requests: found.slice(0, limit),
    more: found.length > limit,
    found: found.length,
  };
}

// getSearched asks for the requests in which a search looks, with the whole of each URL.
async function getSearched(filter) {
  const all = {...filter, limit: manyRequests};
  const {requests} = await getRequests(all);
  const isShortened = requests.some(({url}) => url.endsWith("…"));
  if (!isShortened) return requests;
  const whole = await getWholeRequests(all);
  return whole.requests;
}

// getHeld asks for the requests of a token that wait for their release.
async function getHeld(token) {
  if (!token) return [];
  const {requests} = await getRequests({token, status: 0, limit: manyRequests});
  return requests.filter(({held}) => held);
}

// getReplies asks for the replies of a token that wait to be played. A token without a user, or
// whose user is gone by now, has none.
async function getReplies(token, users) {
  if (!userOf(token, users)) return [];
  const none = {replies: []};
  const {replies} = await get("replies" + tokenQuery(token)).catch(() => none);
  return replies;
}

// getPassedOn asks whether any requests were passed on to the upstream.
async function getPassedOn() {
  const {requests} = await getRequests({passed_on: true, limit: 1});
  return requests.length > 0;
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
