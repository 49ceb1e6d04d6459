// Draws the whole page, reacts to clicks, and starts the page.

// draw draws the page from the last answers of the server, which are in state.
function draw() {
  const isFirst = !document.body.classList.contains("drawn");
  const {health} = state;
  redraw(byId("failure"), health.reload ?? {}, () => failure(health.reload));
  byId("copy-base").dataset.copy = health.base_url;
  say("base", health.base_url);
  say("version", health.version);
  drawUsers();
  drawUser();
  drawSelection();
  drawRequests();
  drawNothing();
  drawSettings();
  document.body.classList.add("drawn");
  if (isFirst) showChosenUser();
  if (isFirst && opened.size > 0) requestAnimationFrame(scrollToRequest);
}

function scrollToRequest() {
  byId("r" + parameter("request"))?.scrollIntoView();
}

// click does what the clicked button or link is for. The browser handles clicks that open a tab.
function click(event) {
  const target = event.target.closest("a,button");
  if (!target) return;
  const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
  if (opensElsewhere) return;
  if (target.matches("button")) {
    press(target);
  } else if (target.matches("#requests > li > a")) {
    event.preventDefault();
    clearNotices();
    toggleRow(target.parentElement);
  } else if (target.matches("[data-go]")) {
    event.preventDefault();
    follow(target);
  }
}

// follow shows the target of a link. After a link to a user, the panel of the user has the focus,
// so that the next Tab leads on in the panel.
function follow(link) {
  clearNotices();
  followLink(link.href);
  if (link.dataset.go === "user") byId("user-title").focus();
}

// press does what the data attributes of a button say. Other buttons have listeners of their own.
function press(button) {
  const {copy: text, send: token, call} = button.dataset;
  if (text !== undefined) {
    copy(text);
  } else if (token) {
    sendRequest(campaignsURL(), token);
  } else if (call) {
    callBy(button);
  } else if (button.matches("[data-reply], [data-reply] *")) {
    playPreset(button);
  }
}

// callBy sends the call in the data-call of a button. If the button has a data-question, the person
// must confirm it first. After the call, the page shows the text in data-done, or an error.
async function callBy(button) {
  clearNotices();
  const {call, question, done} = button.dataset; // taken now, since they may change meanwhile
  if (question && !confirm(question)) return;
  const {wrong} = await change(call);
  notice(wrong ?? done);
  refresh();
}

// passFocus moves the focus when the element with the focus is gone. In the panel of a user, the
// focus goes to the button "Play next", elsewhere to the list of requests. Nothing is scrolled.
function passFocus({target}) {
  const form = byId("next").querySelector(".main");
  const next = target.closest("#user") ? form : byId("requests");
  next.focus({preventScroll: true});
}

document.addEventListener("click", click);
document.addEventListener("focuslost", passFocus);
byId("next").addEventListener("submit", playForm);
byId("next").addEventListener("input", drawForm);
byId("next").addEventListener("reset", forgetForm);
byId("like").addEventListener("submit", behave);
byId("copy-yaml").addEventListener("click", copyUser);
byId("filter").addEventListener("input", filterUsers);
byId("filter").addEventListener("keydown", chooseByEnter);
byId("search").addEventListener("input", search);
byId("service").addEventListener("toggle", refresh);
addEventListener("popstate", followHistory);

byId("search").value = parameter("search");
openRequestOfAddress();
keepUpToDate();
