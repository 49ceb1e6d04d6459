// What is shown stands in the URL, so that a reload keeps it and a link can be sent to
// others: the chosen user (token), which requests are shown (show, rows), the words of a
// search, and the request that was opened last.

let address = location.search;

function parameter(name) {
  return new URLSearchParams(address).get(name) ?? "";
}

function chosenToken() {
  return parameter("token");
}

// isOfToken says whether the requests of the chosen token alone are shown.
function isOfToken() {
  return chosenToken() !== "" && parameter("show") === "";
}

function searchWords() {
  return parameter("search").toLowerCase().split(/\s+/).filter(Boolean);
}

// tokenQuery is the query of a link that chooses a token, and of a call for it.
function tokenQuery(token) {
  return "?token=" + encodeURIComponent(token);
}

// linkTo is a link to what is shown, with a change. An opened request is not kept.
function linkTo(change) {
  const kept = {
    token: chosenToken(),
    show: parameter("show"),
    search: parameter("search"),
    rows: parameter("rows"),
  };
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({...kept, ...change})) {
    if (value) next.set(name, value);
  }
  return next.size > 0 ? "?" + next : "./";
}

// changeAddress changes what the URL says, without a step in the browser's history.
function changeAddress(change) {
  const link = linkTo(change);
  address = link === "./" ? "" : link;
  history.replaceState(null, "", link);
}

// go shows what a link is for.
function go(href) {
  const before = chosenToken();
  address = new URL(href, location.href).search;
  if (chosenToken() !== before) {
    state.replies = [];
    state.held = [];
  }
  openRequestOfAddress();
  byId("missing").textContent = "";
  byId("search").value = parameter("search");
  drawUsers();
  drawUser();
  drawSelection();
  refresh();
}

// followLink shows what a link on the page is for, as a step in the browser's history.
function followLink(href) {
  history.pushState(null, "", new URL(href, location.href).search || "./");
  go(href);
}

function openRequestOfAddress() {
  const number = parameter("request");
  if (number) opened.set(Number(number), null);
}
