// The URL says what the page shows, so that a reload keeps it and people can send each other a
// link. Its parameters are the chosen user (token), which requests are shown (show, rows), the
// words of a search (search), and the request that was opened last (request). Only this file
// changes the variable address.

let address = location.search; // the query of the URL, such as ?token=demo

function parameter(name) {
  return new URLSearchParams(address).get(name) ?? "";
}

// chosenToken returns the token of the user that the page shows. It returns "" if the URL has no
// token, or a token that no client can send: the server would refuse every call for it.
function chosenToken() {
  const token = parameter("token");
  return isToken(token) ? token : "";
}

// isToken says whether a text can be a token: visible ASCII characters without spaces. Some clients
// cannot send other characters.
function isToken(text) {
  return /^[!-~]+$/.test(text);
}

// isOfToken says whether the page lists only the requests of the chosen token.
function isOfToken() {
  return chosenToken() !== "" && parameter("show") === "";
}

// isNarrowed says whether the page lists only requests with advice, or only requests that were
// passed on.
function isNarrowed() {
  return ["advice", "passed"].includes(parameter("show"));
}

function searchWords() {
  return parameter("search").toLowerCase().split(/\s+/).filter(Boolean);
}

// isOfAddress says whether the URL names the request with a number, as in ?request=7.
function isOfAddress(number) {
  return number === Number(parameter("request"));
}

// tokenQuery returns the query ?token=demo for the token demo. Links that choose a user, and calls
// about a token, have this query.
function tokenQuery(token) {
  return "?token=" + encodeURIComponent(token);
}

// ofToken adds the chosen token to the path of a call, as in users?token=demo.
function ofToken(path) {
  return path + tokenQuery(chosenToken());
}

// linkTo returns a link to what the page shows, with some parameters changed. The argument `change`
// has the changed parameters, such as {show: "all"}. The link has the parameter request only if
// `change` has it.
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

// isInBrowser says whether the query of the URL in the browser is equal to the variable address.
// After a step back or forward in the history, the two differ until followHistory has run.
function isInBrowser() {
  return location.search === address;
}

// takeAddress takes the parameters from a link. It draws nothing.
function takeAddress(href) {
  address = new URL(href, location.href).search;
}

// changeAddress changes parameters of the URL, without a new entry in the history of the browser.
function changeAddress(change) {
  const link = linkTo(change);
  address = link === "./" ? "" : link;
  history.replaceState(null, "", link);
}
