// Links and the search lead from one selection to another.
import {changeAddress, chosenToken, isInBrowser, parameter, takeAddress} from "./address.js";
import {byId} from "./elements.js";
import {refresh} from "./refresh.js";
import {drawSelection} from "./selection.js";
import {forgetUser, openRequestOfAddress} from "./state.js";
import {drawUser} from "./user.js";
import {drawUsers} from "./users.js";

// followLink shows what a link on the page is for, as a step in the browser's history.
export function followLink(href) {
  history.pushState(null, "", new URL(href, location.href).search || "./");
  go(href);
}

// followHistory shows what the browser's history is at, after a step back or forth.
export function followHistory() {
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
export function search() {
  changeAddress({search: byId("search").value.trim()});
  refresh();
}
