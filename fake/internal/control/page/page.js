// What is drawn, what a click does, and the start.

// draw draws what the server said.
function draw() {
  const isFirst = !document.body.classList.contains("drawn");
  const {health, settings} = state;
  redraw(byId("failure"), health.reload ?? {}, () => failure(health.reload));
  byId("copy-base").dataset.copy = health.base_url;
  say("base", health.base_url);
  say("version", health.version);
  drawUsers();
  drawUser();
  drawSelection();
  drawRequests(isFirst);
  drawNothing();
  if (settings) redraw(byId("settings"), settings, () => settingTable(settings));
  document.body.classList.add("drawn");
  if (isFirst) showChosenUser();
  if (isFirst && opened.size > 0) requestAnimationFrame(scrollToRequest);
}

function scrollToRequest() {
  byId("r" + parameter("request"))?.scrollIntoView();
}

function settingTable(settings) {
  const heads = ["setting", "value", "basis"].map((name) => {
    return element("th", {scope: "col"}, name);
  });
  return element("table", {"aria-label": "Settings"},
    element("thead", {}, element("tr", {}, heads)),
    element("tbody", {}, settings.map(settingRow)));
}

function settingRow({name, value, basis, where}) {
  const isOption = where?.startsWith("-");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return element("tr." + basis, {},
    element("td", {}, code(name)),
    element("td", {}, value === null ? "–" : code(longText(text))),
    element("td", {}, basis,
      where && element("div", {}, element(isOption ? "code.option" : "code", {}, where))));
}

let noticeTimer;

// notice says something for a moment.
function notice(text) {
  const place = byId("notice");
  place.textContent = text;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => {
    place.textContent = "";
  }, 4000);
}

// clearNotices takes back what was said of one thing, because another is done.
function clearNotices() {
  notice("");
  byId("wrong").textContent = "";
  byId("like-wrong").textContent = "";
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copySelected(text); // as on a page that is not from this machine
  }
  notice("Copied.");
}

function copySelected(text) {
  const area = element("textarea", {}, text);
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// click does what a button or a link is for. Its data-attributes say what.
function click(event) {
  const target = event.target.closest("a,button");
  const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
  if (!target || opensElsewhere) return;
  const {dataset} = target;
  const isRow = target.parentElement?.parentElement === byId("requests");
  if (dataset.copy !== undefined) {
    copy(dataset.copy);
  } else if (dataset.send) {
    sendRequest(dataset.send);
  } else if (dataset.call) {
    changeBy(target);
  } else if (dataset.reply) {
    replyBy(target);
  } else if (isRow) {
    event.preventDefault();
    clearNotices();
    toggleRow(target.parentElement);
  } else if (dataset.go !== undefined) {
    event.preventDefault();
    clearNotices();
    followLink(target.href);
    if (dataset.go === "user") byId("user-title").focus(); // from where the next Tab leads on
  }
}

// changeBy has the server change what a button says.
async function changeBy(button) {
  clearNotices();
  const {call, done} = button.dataset; // which may be others when it is done
  const {wrong} = await change(call);
  notice(wrong ?? done);
  refresh();
}

// replyBy enqueues the reply that a button has.
async function replyBy(button) {
  const name = button.ariaLabel ?? button.textContent;
  const wrong = await enqueue(button.dataset.reply, `The next answer: ${name}.`);
  if (wrong) notice(wrong);
}

function search() {
  changeAddress({search: byId("search").value.trim()});
  refresh();
}

document.addEventListener("click", click);
byId("next").addEventListener("submit", playForm);
byId("next").addEventListener("input", drawForm);
byId("next").addEventListener("reset", () => {
  byId("body-kind").textContent = "";
});
byId("like").addEventListener("submit", behave);
byId("copy-yaml").addEventListener("click", copyUser);
byId("filter").addEventListener("input", filterUsers);
byId("search").addEventListener("input", search);
byId("service").addEventListener("toggle", refresh);
addEventListener("popstate", () => {
  if (location.search !== address) go(location.href);
});

byId("search").value = parameter("search");
openRequestOfAddress();
document.addEventListener("visibilitychange", followEvents);
if (document.hidden) refresh();
followEvents();
