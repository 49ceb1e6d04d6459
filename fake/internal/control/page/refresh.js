// When the server is asked again: after a change, and when it tells that something has changed.
import {drawConnection} from "./failure.js";
import {whyFailed} from "./server.js";
import {load} from "./state.js";

let draw; // the function that draws the page
let isRunning = false; // the server is being asked
let isWanted = false; // it is to be asked again, at once
let hasChanged = false; // it is to be asked again, soon
let timer;
let rested = 0; // when the server may be asked again because of a change
let events; // the stream in which the server tells of changes

// startRefreshing asks for what is shown, and goes on as long as the page is open. Whatever is new
// is drawn by a function.
export function startRefreshing(drawPage) {
  draw = drawPage;
  document.addEventListener("visibilitychange", followEvents);
  if (document.hidden) refresh();
  followEvents();
}

// refresh asks for what is shown, and draws it. One is under way at most: what happens
// meanwhile is asked for by the next.
export async function refresh() {
  isWanted = true;
  if (isRunning) return;
  clearTimeout(timer);
  timer = undefined;
  isRunning = true;
  let wrong;
  try {
    wrong = await askWhileWanted();
  } finally {
    isRunning = false;
  }
  drawConnection(wrong, events?.readyState === EventSource.OPEN);
  if (wrong) {
    timer = setTimeout(refresh, 2000);
  } else if (hasChanged) {
    refreshSoon();
  }
}

// askWhileWanted asks for what is shown until nobody wants to know it anew. It returns why the
// server could not be asked, "" if it could.
async function askWhileWanted() {
  while (isWanted) {
    isWanted = false;
    hasChanged = false;
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
      isWanted = true; // something else is shown by now
    }
    // A server with much to tell is asked less often.
    const took = performance.now() - began;
    rested = performance.now() + 250 + 3 * took;
  }
  return "";
}

// refreshSoon asks again after a change on the server. Of many changes one refresh shows all.
function refreshSoon() {
  hasChanged = true;
  if (!isRunning) timer ??= setTimeout(refresh, Math.max(0, rested - performance.now()));
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
    if (isRefused) setTimeout(followEvents, 2000);
  };
}
