// When the server is asked: at the start, after a change, and every few seconds, so that the page
// is never left behind by an answer or by a stream that does not come.

const rest = 250; // the shortest time between two questions, in milliseconds
const longestPause = 3000; // the longest: the server is asked although it tells of no change

let endPause; // a function that ends the pause before the next question
let events; // the stream of events by which the server tells of changes

// keepUpToDate asks for what is shown, and draws it, as long as the page is open.
async function keepUpToDate() {
  document.addEventListener("visibilitychange", followEvents);
  for (;;) {
    followEvents();
    const changed = new Promise((resolve) => {
      endPause = resolve;
    });
    drawConnection(await askAndDraw());
    await pause(rest);
    await Promise.race([changed, pause(longestPause)]);
  }
}

function pause(milliseconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

// refresh has the server asked again: something else is to be shown, or something has changed. If
// a question is under way, another one follows it.
function refresh() {
  endPause();
}

// askAndDraw asks for what is shown, and draws it. It returns why that failed, "" if it did not.
async function askAndDraw() {
  try {
    const isShown = await load();
    if (isShown) draw();
    return "";
  } catch (error) {
    if (error instanceof CallError) return error.message;
    console.error(error);
    return `This page cannot show what the server says: ${error}.`;
  }
}

// followEvents has the server tell of changes. It tells of one at the start of the stream, too.
// While the page is hidden it holds no connection, of which a browser has few.
function followEvents() {
  if (document.hidden) {
    events?.close();
    return;
  }
  const isFollowed = events && events.readyState !== EventSource.CLOSED;
  if (isFollowed) return;
  events = new EventSource("events");
  events.addEventListener("changed", refresh);
}
