// What is said for a moment, and what was wrong with what was typed.

let timer;

// notice says something for a moment.
function notice(text) {
  const place = byId("notice");
  place.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    place.textContent = "";
  }, 4000);
}

// clearNotices takes back what was said of one thing, because another is done.
function clearNotices() {
  notice("");
  byId("wrong").textContent = "";
  byId("like-wrong").textContent = "";
}
