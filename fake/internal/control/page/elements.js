// Makes elements from values. Everything that comes from the server becomes text, or the value of
// an attribute, and never HTML.

function byId(id) {
  return document.getElementById(id);
}

// element makes an element. The argument `name` is the tag, or the tag and a class, such as
// div.copied. An attribute that is undefined or false is left out.
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

// present returns the children that an element gets. Children that are null, undefined, false or ""
// are left out.
function present(children) {
  const isThere = (child) => child != null && child !== "" && child !== false;
  return children.flat(Infinity).filter(isThere);
}

function code(text) {
  return element("code", {}, text);
}

// longText shows a text. It shortens a long text until somebody opens it.
function longText(text) {
  if (text.length <= longestText) return text;
  return element("details.long", {},
    element("summary", {},
      element("span", {}, shortText(text)), " ",
      element("small", {}, counted(text.length, "character"))),
    text);
}

const zoneFormat = new Intl.DateTimeFormat("en", {timeZoneName: "short"});

// zoneOf returns the time zone of the reader at a time, such as UTC or GMT+1.
function zoneOf(at) {
  const parts = zoneFormat.formatToParts(at);
  return parts.find(({type}) => type === "timeZoneName").value;
}

// clock shows a time in the time zone of the reader, and names the zone.
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

// say puts a text into the element with an id. An element that already has the text is left alone,
// so that a selection in it stays.
function say(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

// redraw fills the element `place` with what the function `make` returns. The argument `source` is
// the data that `make` draws. If `source` has not changed, redraw does nothing. If the focus was in
// `place`, redraw sets the focus again. It goes to the link or button at the same position, or to
// the last one if there are now fewer. If nothing in `place` can have the focus, redraw dispatches
// the event focuslost: its listener decides where the focus goes.
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

// drawList gives a list one item for each entry. The function `keyOf` returns the key of an entry,
// and `drawItem` draws an entry into its item. An item whose key stays is not made again, so opened
// details in the item stay. The focus and the selection in the item stay, too, unless drawList
// moves the item.
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
