// The list of requests.

let drawnList; // the link to the list whose rows are drawn
let latestDrawn = 0; // the number of the latest request that has a row

// drawRequests draws a row for each request in the list, and for opened requests that are not in
// it. Rows of requests that arrived since the last drawing are marked as fresh. After a change to
// another list, no row is fresh.
function drawRequests() {
  const all = shownRequests();
  const isOtherList = state.shown !== drawnList;
  drawList(byId("requests"), all, rowKey, (row, request, isNew) => {
    if (isNew) {
      startRow(row, request);
      const isFresh = !isOtherList && request.number > latestDrawn;
      row.classList.toggle("fresh", isFresh);
    }
    drawRow(row, request);
  });
  drawnList = state.shown;
  latestDrawn = all[0]?.number ?? 0;
}

// shownRequests returns the requests that have a row, the latest first.
function shownRequests() {
  const listed = state.list.requests;
  const numbers = new Set(listed.map(({number}) => number));
  const others = [...opened.values()].filter((request) => request && !numbers.has(request.number));
  const all = [...listed, ...others];
  return all.sort((a, b) => b.number - a.number);
}

// rowKey returns a key of the row of a request. It has the time, too, since the numbers start over
// after a reset.
function rowKey({number, at}) {
  return `${number}@${at}`;
}

function startRow(row, {number}) {
  row.id = "r" + number;
  row.append(element("a", {}));
}

function drawRow(row, request) {
  const {number} = request;
  const link = row.firstElementChild;
  link.setAttribute("href", linkTo({request: number}));
  link.ariaExpanded = String(opened.has(number));
  redraw(link, rowSource(request), () => requestLine(request));
  drawRelease(row, request);
  drawDetail(row, number);
}

// rowSource returns all values of a request that its row shows.
function rowSource(request) {
  const {at, token, method, url, status, reason, duration_ms: ms} = request;
  const {complete, broken, advice} = request;
  return [at, token, method, url, status, reason, ms, complete, broken, advice?.title];
}

// requestLine returns what the row of a request shows, without the details.
function requestLine(request) {
  const {method, url, token, at, complete, duration_ms: ms, advice, reason} = request;
  const {word, kind} = resultOf(request);
  return [
    element("b." + kind, {}, word), " ",
    element("span.url", {}, shortText(`${method} ${url}`)), " ",
    element("span.token", {}, shortToken(token) || "no token"), " ",
    clock(at), " ",
    element("span.duration", {}, complete && milliseconds(ms)), " ",
    element("span.reason", {}, advice ? element("i", {}, advice.title) : reason),
  ];
}

// drawRelease puts a button into the row of a held request, and removes the button when the request
// is released.
function drawRelease(row, {held, token}) {
  const link = row.firstElementChild;
  const button = row.querySelector(":scope > .release");
  row.classList.toggle("held", Boolean(held));
  if (held && !button) link.after(releaseButton(token));
  if (!held && button) {
    if (button === document.activeElement) link.focus();
    button.remove();
  }
}

// drawDetail draws the details of an opened request below its row, once the server has sent them.
// It removes the details of a closed request.
function drawDetail(row, number) {
  const request = opened.get(number);
  let detail = row.querySelector(":scope > .detail");
  if (!opened.has(number)) detail?.remove();
  if (!request) return;
  if (!detail) {
    detail = element("div.detail", {});
    row.append(detail);
  }
  const {origin} = new URL(state.health.base_url);
  redraw(detail, request, () => requestDetail(request, origin));
}

function toggleRow(row) {
  const number = Number(row.id.slice(1));
  if (opened.has(number)) {
    closeRequest(number);
  } else {
    openRequest(number);
  }
  drawRequests();
  refresh();
}
