// When the server is asked again: after a change, and when it tells that something has changed.

let isRunning = false; // the server is being asked
let isWanted = false; // it is to be asked again, at once
let hasChanged = false; // it is to be asked again, soon
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
  let isAnswered = false;
  try {
    isAnswered = await askWhileWanted();
  } finally {
    isRunning = false;
  }
  drawConnection(isAnswered);
  if (!isAnswered) {
    timer = setTimeout(refresh, 2000);
  } else if (hasChanged) {
    refreshSoon();
  }
}

// askWhileWanted asks for what is shown until nobody wants to know it anew, and says whether
// the server answers.
async function askWhileWanted() {
  while (isWanted) {
    isWanted = false;
    hasChanged = false;
    const began = performance.now();
    let isShown;
    try {
      isShown = await load();
    } catch {
      return false;
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
  return true;
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
