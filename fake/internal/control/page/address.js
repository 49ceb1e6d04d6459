// What is shown stands in the URL, so that a reload keeps it and a link can be sent to
// others: the chosen user (token), which requests are shown (show, rows), the words of a
// search, and the request that was opened last. Whoever changes it does so here.

let address = location.search;

function parameter(name) {
  return new URLSearchParams(address).get(name) ?? "";
}

// chosenToken is the token of the user that is shown. There is none if that of the URL can be no
// token, since the server refuses every call for it.
function chosenToken() {
  const token = parameter("token");
  return isToken(token) ? token : "";
}

// isToken says whether a text can be a token. Not all clients can send other characters.
function isToken(text) {
  return /^[!-~]+$/.test(text);
}

// isOfToken says whether the requests of the chosen token alone are shown.
function isOfToken() {
  return chosenToken() !== "" && parameter("show") === "";
}

// isNarrowed says whether only some kind of requests is shown.
function isNarrowed() {
  return ["advice", "passed"].includes(parameter("show"));
}

function searchWords() {
  return parameter("search").toLowerCase().split(/\s+/).filter(Boolean);
}

// isOfAddress says whether the URL has the number of a request.
function isOfAddress(number) {
  return number === Number(parameter("request"));
}

// tokenQuery is the query of a link that chooses a token, and of a call for it.
function tokenQuery(token) {
  return "?token=" + encodeURIComponent(token);
}

// ofToken is the path of a call for the chosen token.
function ofToken(path) {
  return path + tokenQuery(chosenToken());
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

// isInBrowser says whether the browser shows the address of the page. It does not after a step back
// or forth, until the page follows.
function isInBrowser() {
  return location.search === address;
}

// takeAddress takes what is shown from a link.
function takeAddress(href) {
  address = new URL(href, location.href).search;
}

// changeAddress changes what the URL says, without a step in the browser's history.
function changeAddress(change) {
  const link = linkTo(change);
  address = link === "./" ? "" : link;
  history.replaceState(null, "", link);
}
