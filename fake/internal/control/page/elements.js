// From values to elements. All that comes from the server is put in as text or as
// the value of an attribute, never as HTML.

function byId(id) {
  return document.getElementById(id);
}

// element makes an element from its name, as div or div.class, its attributes and its children.
// An attribute that is undefined or false is left out.
function element(name, attributes, ...children) {
  const [tag, kind] = name.split(".");
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...present(children));
  return made;
}

// present returns the children that an element gets: without those that are missing, empty or
// false.
function present(children) {
  const isThere = (child) => child != null && child !== "" && child !== false;
  return children.flat(Infinity).filter(isThere);
}

function code(text) {
  return element("code", {}, text);
}

// longText shows a text. A long one is shortened until it is opened.
function longText(text) {
  if (text.length <= longestText) return text;
  return element("details.long", {},
    element("summary", {},
      element("span", {}, shortText(text)), " ",
      element("small", {}, counted(text.length, "character"))),
    text);
}

const zoneFormat = new Intl.DateTimeFormat("en", {timeZoneName: "short"});

// zoneOf is the zone of the reader at a time, as UTC or GMT+1.
function zoneOf(at) {
  const parts = zoneFormat.formatToParts(at);
  return parts.find(({type}) => type === "timeZoneName").value;
}

// clock shows a time as that of the reader, with the zone.
function clock(when) {
  const at = new Date(when);
  const local = new Date(at - at.getTimezoneOffset() * 60_000);
  const title = at.toISOString().replace("T", " ").replace("Z", " UTC");
  const time = local.toISOString().slice(11, 23);
  return element("time", {datetime: when, title}, `${time} ${zoneOf(at)}`);
}

function copyButton(text, label = "Copy") {
  return element("button", {type: "button", "data-copy": text}, label);
}

// say puts a text into an element. If the element has it, nothing is done, so that what is
// selected in it stays selected.
function say(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

// redraw puts what a function makes into a place, unless what it is made of is the same as before.
// The focus stays where it was in the place. If nothing is left there that can have it, the event
// focuslost says so, and the page decides where it goes.
function redraw(place, source, make) {
  const key = JSON.stringify(source);
  if (place.drawnFrom === key) return;
  const focused = focusable(place).indexOf(document.activeElement);
  place.replaceChildren(...present([make()]));
  place.drawnFrom = key;
  if (focused < 0) return;
  const now = focusable(place);
  const nearest = now[focused] ?? now.at(-1);
  if (nearest) {
    nearest.focus();
  } else {
    place.dispatchEvent(new Event("focuslost", {bubbles: true}));
  }
}

function focusable(place) {
  return [...place.querySelectorAll("a,button,summary,[tabindex]")];
}

// drawList gives a list an item for each entry, by its key. Items that stay are not made anew, so
// that focus, selection and opened details in them stay, too.
function drawList(list, entries, keyOf, drawItem) {
  const items = new Map([...list.children].map((item) => [item.dataset.key, item]));
  const kept = new Set(entries.map(keyOf));
  for (const [key, item] of items) {
    if (!kept.has(key)) item.remove();
  }
  let next = list.firstElementChild;
  for (const entry of entries) {
    const key = keyOf(entry);
    const known = items.get(key);
    const item = known ?? element("li", {"data-key": key});
    if (item === next) {
      next = next.nextElementSibling;
    } else {
      list.insertBefore(item, next);
    }
    drawItem(item, entry, !known);
  }
}
