// When the server is asked: at the start, after a change that the page has made, and when the
// server tells of one.
import {drawConnection} from "./failure.js";
import {whyFailed} from "./server.js";
import {load} from "./state.js";

const pause = 2000; // milliseconds until a server is asked again that has not answered

// When another question follows the one that is under way.
const never = "never";
const soon = "soon"; // the server has told of a change
const atOnce = "at once"; // something else is to be shown, or the page has changed something

// question asks the server for all that is shown. One is under way at most: what happens meanwhile
// is asked for by the next.
const question = {
  isUnderWay: false,
  next: never,
  timer: undefined, // of the one that is planned, if one is
  notBefore: 0, // when one may start that answers to a change on the server
};

let draw; // the function that draws the page
let events; // the stream in which the server tells of changes, undefined before the first

// startRefreshing asks for what is shown, and goes on as long as the page is open. Whatever is new
// is drawn by a function.
export function startRefreshing(drawPage) {
  draw = drawPage;
  document.addEventListener("visibilitychange", followEvents);
  if (document.hidden) refresh();
  followEvents();
}

// refresh asks for what is shown, and draws it, and whether the server is live or gone.
export async function refresh() {
  if (question.isUnderWay) {
    question.next = atOnce;
    return;
  }
  clearTimeout(question.timer);
  question.timer = undefined;
  question.isUnderWay = true;
  let wrong;
  try {
    wrong = await askAndDraw();
  } finally {
    question.isUnderWay = false;
  }
  drawConnection(wrong, tellsOfChanges());
  if (wrong) {
    question.timer = setTimeout(refresh, pause);
  } else if (question.next === soon) {
    refreshSoon();
  }
}

// askAndDraw asks for what is shown, and draws it, until no question has to follow at once. It
// returns why the server could not be asked, "" if it could.
async function askAndDraw() {
  do {
    question.next = never;
    const began = performance.now();
    let isShown;
    try {
      isShown = await load();
    } catch (error) {
      return whyFailed(error);
    }
    if (isShown) {
      draw();
    } else {
      question.next = atOnce; // something else is shown by now
    }
    // A server with much to tell is asked less often.
    const took = performance.now() - began;
    question.notBefore = performance.now() + 250 + 3 * took;
  } while (question.next === atOnce);
  return "";
}

// refreshSoon asks again after a change on the server. Of many changes one refresh shows all.
function refreshSoon() {
  if (question.isUnderWay) {
    if (question.next === never) question.next = soon;
    return;
  }
  const isPlanned = question.timer !== undefined;
  if (isPlanned) return;
  const rest = question.notBefore - performance.now();
  question.timer = setTimeout(refresh, Math.max(0, rest));
}

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
    if (isRefused) setTimeout(followEvents, pause);
  };
}

function tellsOfChanges() {
  return events?.readyState === EventSource.OPEN;
}
