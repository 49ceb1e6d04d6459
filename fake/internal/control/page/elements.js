// From values to elements. All that comes from the server is put in as text or as
// the value of an attribute, never as HTML.

function byId(id) {
  return document.getElementById(id);
}

// element makes an element: its name with its class, its attributes, and what is in it.
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

// present leaves out of what is in an element whatever is not there.
function present(children) {
  const isThere = (child) => child != null && child !== "" && child !== false;
  return children.flat(Infinity).filter(isThere);
}

function code(text) {
  return element("code", {}, text);
}

// longText is a text, of which a long one is shortened until it is opened.
function longText(text) {
  if (text.length <= longestText) return text;
  return element("details.long", {},
    element("summary", {},
      element("span", {}, shortText(text)), " ",
      element("small", {}, counted(text.length, "character"))),
    text);
}

function copyButton(text, label = "Copy") {
  return element("button", {type: "button", "data-copy": text}, label);
}

// say puts a text into an element, unless it is there: what is selected in it stays so.
function say(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

// redraw puts what a function makes into an element, unless what it is made of is the same
// as before. The focus stays in the same place.
function redraw(place, source, make) {
  const key = JSON.stringify(source);
  if (place.drawnFrom === key) return;
  place.drawnFrom = key;
  const focused = focusable(place).indexOf(document.activeElement);
  place.replaceChildren(...present([make()]));
  if (focused < 0) return;
  const now = focusable(place);
  const nearest = now[focused] ?? now.at(-1) ?? byId("next").querySelector(".main");
  nearest.focus();
}

function focusable(place) {
  return [...place.querySelectorAll("a,button,summary,[tabindex]")];
}

// drawList has an item of a list for each entry, by its key. Items that stay are not made
// anew, so that focus, selection and what is opened in them stay, too.
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
