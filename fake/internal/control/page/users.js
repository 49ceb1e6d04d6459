// The list of users.

function drawUsers() {
  const {users, unknown} = state;
  drawList(byId("users"), users, ({token}) => token, drawUserItem);
  say("unknown", unknown.summary ? "any other token: " + shortText(unknown.summary) : "");
  filterUsers();
}

function drawUserItem(item, user, isNew) {
  if (isNew) item.append(element("a", {href: tokenQuery(user.token), "data-go": "user"}));
  const link = item.firstElementChild;
  link.ariaCurrent = user.token === chosenToken() ? "true" : null;
  redraw(link, user, () => userLine(user));
}

function userLine(user) {
  const {token, requests, waiting} = user;
  return [
    element("b", {}, shortToken(token)),
    waiting > 0 && [" ", element("i", {}, waiting + " waiting")],
    requests > 0 && [" ", requestCount(requests)],
    element("span", {}, shortText(describedUser(user))),
  ];
}

// describedUser says in words what a user is.
function describedUser({like, description, summary}) {
  const model = like ? `like ${shortToken(like)}: ` : "";
  return model + showDirections(description || summary);
}

function requestCount(requests) {
  const unit = requests === 1 ? " request" : " requests";
  return element("em", {title: counted(requests, "request")},
    String(requests), element("span.unseen", {}, unit));
}

// filterUsers hides the users that do not contain the text in the filter.
function filterUsers() {
  const typed = byId("filter").value.trim();
  const words = typed.toLowerCase();
  const items = [...byId("users").children];
  for (const item of items) {
    const text = item.dataset.key + "\n" + item.textContent; // dataset.key is the whole token
    item.hidden = !text.toLowerCase().includes(words);
  }
  const isNobody = typed !== "" && items.every((item) => item.hidden);
  const source = [isNobody && typed, state.unknown];
  redraw(byId("nobody"), source, () => isNobody && nobodyLine(typed));
}

// chooseByEnter chooses a user when somebody presses Enter in the filter. It chooses the user whose
// token is exactly the typed text, or else the first user in the filtered list. If the list is
// empty and the typed text can be a token, it chooses the typed text as the token.
function chooseByEnter(event) {
  const typed = byId("filter").value.trim();
  const isEntered = event.key === "Enter" && !event.isComposing;
  if (!isEntered || typed === "") return;
  const shown = [...byId("users").children].filter((item) => !item.hidden);
  const named = shown.find((item) => item.dataset.key === typed);
  const chosen = named ?? shown[0] ?? byId("nobody");
  chosen.querySelector("a")?.click();
}

// nobodyLine says that no user matches the typed text. If the text can be a token, the line has a
// link that chooses it.
function nobodyLine(token) {
  if (!isToken(token)) {
    return ["No user has ", code(shortToken(token)),
      ", and no token can be so: write visible ASCII characters without spaces."];
  }
  const {unknown} = state;
  const how = unknown.normal_answer
    ? "; any token works."
    : `, and any other token is answered ${unknown.summary}.`;
  const link = element("a", {href: tokenQuery(token), "data-go": "user"}, code(shortToken(token)));
  return ["No user has ", link, how];
}

// showChosenUser scrolls the list of users to the chosen user. It scrolls nothing else.
function showChosenUser() {
  const chosen = byId("users").querySelector("[aria-current]");
  if (!chosen) return;
  const list = chosen.closest("nav");
  const {top, bottom} = list.getBoundingClientRect();
  const item = chosen.getBoundingClientRect();
  const shadow = 30; // the height of the shadow at the end of the list, in pixels
  if (item.bottom > bottom - shadow) list.scrollTop += item.bottom - (bottom - shadow);
  if (item.top < top) list.scrollTop -= top - item.top;
}

function focusUser(token) {
  const links = [...byId("users").querySelectorAll("a")];
  links.find((link) => link.search === tokenQuery(token))?.focus();
}
