// What is drawn, what a click does, and the start.

// draw draws what the server said.
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

// click does what a button or a link is for.
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

// follow shows what a link is for. Of a link to a user, the next Tab leads on in the panel of the
// user.
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

// callBy sends the call of a button, and says what its data-done has. If the button has a question,
// nothing is done before it is confirmed.
async function callBy(button) {
  clearNotices();
  const {call, question, done} = button.dataset; // which may be others when it is done
  if (question && !confirm(question)) return;
  const {wrong} = await change(call);
  notice(wrong ?? done);
  refresh();
}

// passFocus passes on the focus of an element that has gone: in the panel of a user to the form of
// the next answer, elsewhere to the list of requests. Nothing is scrolled.
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
