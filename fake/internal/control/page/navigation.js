// Links, the history of the browser, and the search change what the page shows.

// followLink shows the target of a link, and adds it to the history of the browser.
function followLink(href) {
  history.pushState(null, "", new URL(href, location.href).search || "./");
  go(href);
}

// followHistory updates the page after a step back or forward in the history of the browser. The
// page then shows what the URL in the browser names.
function followHistory() {
  if (!isInBrowser()) go(location.href);
}

// go shows the target of a link.
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

// search puts the typed words into the URL, and lists the requests that have them.
function search() {
  changeAddress({search: byId("search").value.trim()});
  refresh();
}
