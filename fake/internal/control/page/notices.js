// Notices, which disappear after four seconds, and errors about typed text.

let timer;

// notice shows a text for four seconds.
function notice(text) {
  const place = byId("notice");
  place.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    place.textContent = "";
  }, 4000);
}

// clearNotices removes the notice and the errors of the last action, since another action begins.
function clearNotices() {
  notice("");
  byId("wrong").textContent = "";
  byId("like-wrong").textContent = "";
}
