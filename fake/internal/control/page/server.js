// Calls to the server. The page is a client of /_fake/ like any other client.

const manyRequests = 1000; // as many as the journal can have
const longestAnswer = 10_000; // milliseconds that an answer may take

// A CallError says that the server has refused a call, or has not answered it.
class CallError extends Error {}

// ask sends a call to the server. It returns {text} with the body of the answer, or {wrong} with an
// error message.
async function ask(method, path, body) {
  try {
    const signal = AbortSignal.timeout(longestAnswer);
    const response = await fetch(path, {method, body, signal});
    if (!response.ok) return {wrong: await refusalOf(response)};
    return {text: await response.text()};
  } catch {
    return {wrong: "The server does not answer."};
  }
}

// get asks for JSON, and returns its value. It throws a CallError if the call fails.
async function get(path) {
  const {text, wrong} = await ask("GET", path);
  if (!wrong) return JSON.parse(text);
  const {pathname, search} = new URL(path, location.href);
  throw new CallError(`${wrong} It was asked for ${shortText(pathname + search)}.`);
}

// getRequests asks for requests without headers and bodies, and with long URLs shortened.
function getRequests(filter) {
  return getWholeRequests({...filter, brief: true});
}

function getWholeRequests(filter) {
  return get("requests?" + new URLSearchParams(filter));
}

// getRequest asks for the request with a number, with its headers and its answer. It returns
// undefined if the journal does not have it.
async function getRequest(number) {
  const isNumber = Number.isInteger(number) && number > 0 && number < 2 ** 31;
  if (!isNumber) return undefined;
  const {requests} = await getWholeRequests({since: number - 1, limit: 1, oldest: true});
  return requests.find((request) => request.number === number);
}

// getHeld asks for the held requests of a token, which wait for their release.
async function getHeld(token) {
  if (!token) return [];
  const {requests} = await getRequests({token, limit: manyRequests});
  return requests.filter(({held}) => held);
}

// getPassedOn asks whether any requests were passed on to the upstream.
async function getPassedOn() {
  const {requests} = await getRequests({passed_on: true, limit: 1});
  return requests.length > 0;
}

// getReplies asks for the replies of a token that wait to be played.
async function getReplies(token) {
  const {replies} = await get("replies" + tokenQuery(token));
  return replies;
}

let lastChange = Promise.resolve();

// change sends a call that changes something, such as "POST reset". It returns what ask returns. It
// sends each change only after the answer to the change before it.
function change(call, body) {
  lastChange = lastChange.then(() => sendChange(call, body));
  return lastChange;
}

function sendChange(call, body) {
  const [method, path] = call.split(" ");
  return ask(method, path, body);
}

// refusalOf says why the server refuses a call.
async function refusalOf(response) {
  const answer = await response.json().catch(() => ({}));
  const mistakes = answer.mistakes?.map(mistakeLine).join("\n");
  return mistakes || answer.detail || `The answer is ${response.status}.`;
}

// mistakeLine says on one line what is wrong with a field of the body that the page sent.
function mistakeLine({path = "", problem, instead}) {
  const field = path.split(".").pop();
  const what = [field, problem].filter(Boolean).join(": ");
  return instead ? what + "; " + instead : what;
}

// sendRequest asks for the campaigns of a token, as an app would. The page does not need the
// answer, since the journal has it. The browser uses separate connections for a request without
// cookies. So the page can still ask the server while many such requests wait for their answers.
function sendRequest(url, token) {
  const {pathname} = new URL(url);
  const headers = {Authorization: "Bearer " + token};
  fetch(pathname, {headers, credentials: "omit"}).catch(() => {});
}
