// Links and the search lead from one selection to another.

// followLink shows what a link on the page is for, as a step in the browser's history.
function followLink(href) {
  history.pushState(null, "", new URL(href, location.href).search || "./");
  go(href);
}

// followHistory shows what the browser's history is at, after a step back or forth.
function followHistory() {
  if (!isInBrowser()) go(location.href);
}

// go shows what a link is for.
function go(href) {
  const before = chosenToken();
  takeAddress(href);
  if (chosenToken() !== before) forgetUser();
  openRequestOfAddress();
  byId("search").value = parameter("search");
  drawUsers();
  drawUser();
  drawSelection();
  refresh();
}

// search lists the requests that have the words of the search.
function search() {
  changeAddress({search: byId("search").value.trim()});
  refresh();
}
