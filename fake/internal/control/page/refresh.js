// The page asks the server at the start, after each change, and otherwise every few seconds. So the
// page stays up to date even if the stream of events fails.

const rest = 250; // milliseconds after an answer before the page asks again
const longestPause = 3000; // milliseconds that the page then waits for a change, at most

let endPause; // ends the wait for a change, so that the page asks again
let events; // the stream of events by which the server tells of changes

// keepUpToDate asks for everything that the page shows, and draws it, again and again.
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

// refresh makes the page ask the server again. It is called after a change in the server, and when
// the reader chooses what the page shows. If the page is waiting for answers, it asks again after
// it has got them.
function refresh() {
  endPause();
}

// askAndDraw asks for everything that the page shows, and draws the page. It returns "", or the
// reason why asking or drawing failed.
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

// followEvents opens the stream of events, in which the server reports changes. The first event
// comes at once. While the page is hidden, the stream is closed, since a browser has few
// connections to a server.
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
