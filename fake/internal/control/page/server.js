// The server's answers. The page is a client of /_fake/ like any other.
import {tokenQuery} from "./address.js";

export const manyRequests = 1000; // as many as the journal has
const noAnswer = "The server does not answer.";

// A Refusal is the error of a call that the server has refused. Its message says why.
class Refusal extends Error {}

async function ask(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Refusal(await wrongOf(response));
  return response;
}

// whyFailed says why a call has failed with an error.
export function whyFailed(error) {
  if (!(error instanceof Refusal)) return noAnswer;
  return `The server refuses what this page asks for. ${error.message}`;
}

export async function get(path) {
  const response = await ask(path);
  return response.json();
}

// getText asks for a text, and returns it, or what is wrong.
export async function getText(path) {
  const response = await fetch(path).catch(() => null);
  if (!response) return {wrong: noAnswer};
  if (!response.ok) return {wrong: await wrongOf(response)};
  return {text: await response.text()};
}

// getRequests asks for requests without headers and bodies, and with long URLs shortened.
export function getRequests(filter) {
  return getWholeRequests({...filter, brief: true});
}

export function getWholeRequests(filter) {
  return get("requests?" + new URLSearchParams(filter));
}

// getRequest asks for a request with its headers and its answer; undefined if there is none.
export async function getRequest(number) {
  const isNumber = Number.isInteger(number) && number > 0 && number < 2 ** 31;
  if (!isNumber) return undefined;
  const {requests} = await getWholeRequests({since: number - 1, limit: 1, oldest: true});
  return requests.find((request) => request.number === number);
}

// getHeld asks for the requests of a token that wait for their release.
export async function getHeld(token) {
  if (!token) return [];
  const {requests} = await getRequests({token, status: 0, limit: manyRequests});
  return requests.filter(({held}) => held);
}

// getPassedOn asks whether any requests were passed on to the upstream.
export async function getPassedOn() {
  const {requests} = await getRequests({passed_on: true, limit: 1});
  return requests.length > 0;
}

// getReplies asks for the replies of a token that wait to be played. If the user of the token is
// gone by now, there are none.
export async function getReplies(token) {
  const none = {replies: []};
  const {replies} = await get("replies" + tokenQuery(token)).catch(() => none);
  return replies;
}

let lastChange = Promise.resolve();

// change has the server change something, as "POST reset", and returns what is wrong, or the
// JSON of the answer. Each change is sent when the one before it is answered.
export function change(call, body) {
  lastChange = lastChange.then(() => sendChange(call, body));
  return lastChange;
}

async function sendChange(call, body) {
  const [method, url] = call.split(" ");
  const response = await fetch(url, {method, body}).catch(() => null);
  if (!response) return {wrong: noAnswer};
  if (!response.ok) return {wrong: await wrongOf(response)};
  return {answer: await response.json().catch(() => ({}))};
}

// wrongOf says why the server refuses what it was asked for.
async function wrongOf(response) {
  const answer = await response.json().catch(() => ({}));
  const mistakes = answer.mistakes?.map(mistakeLine).join("\n");
  return mistakes || answer.detail || `The answer is ${response.status}.`;
}

// mistakeLine says what is wrong with a field of what was sent.
function mistakeLine({path = "", problem, instead}) {
  const field = path.split(".").pop();
  const what = [field, problem].filter(Boolean).join(": ");
  return instead ? what + "; " + instead : what;
}

// sendRequest sends what an app would send. It arrives like any other request, and may fail
// like it.
export function sendRequest(url, token) {
  const {pathname} = new URL(url);
  fetch(pathname, {headers: {Authorization: "Bearer " + token}}).catch(() => {});
}
