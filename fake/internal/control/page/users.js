// The list of users, and the user that is chosen.

// userOf is the user of a token, or the one that it is like by what stands before its tilde.
function userOf(token, users) {
  const [base] = token.split("~");
  const own = users.find((user) => user.token === token);
  return own ?? users.find((user) => user.token === base);
}

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

// filterUsers hides the users that do not have what is typed into the filter.
function filterUsers() {
  const typed = byId("filter").value.trim();
  const words = typed.toLowerCase();
  const items = [...byId("users").children];
  for (const item of items) {
    const text = item.dataset.key + "\n" + item.textContent; // which may have a part of the token
    item.hidden = !text.toLowerCase().includes(words);
  }
  const isNobody = typed !== "" && items.every((item) => item.hidden);
  const source = [isNobody && typed, state.unknown];
  redraw(byId("nobody"), source, () => isNobody && nobodyLine(typed));
}

// nobodyLine says that no user has a token, and offers it all the same.
function nobodyLine(token) {
  const {unknown} = state;
  const how = unknown.normal_answer
    ? "; any token works."
    : `, and any other token is answered ${unknown.summary}.`;
  const link = element("a", {href: tokenQuery(token), "data-go": "user"}, code(shortToken(token)));
  return ["No user has ", link, how];
}

// drawUser draws the chosen user.
function drawUser() {
  const section = byId("user");
  const token = chosenToken();
  const before = section.dataset.token ?? "";
  if (token !== before) changeUser(section, token, before);
  if (!token || !state.unknown.summary) return;

  const user = userOf(token, state.users);
  const answer = user?.normal_answer ?? state.unknown.normal_answer;
  const summary = userSummary(user, answer);
  redraw(byId("summary"), summary, () => longText(summary));
  say("normal", normalAnswer(user, answer));
  byId("copy-curl").dataset.copy = curl(campaignsURL(), ["Authorization: Bearer " + token]);
  byId("copy-fetch").dataset.copy = fetchCall(token);
  byId("next").hidden = !answer;
  byId("copy-yaml").hidden = !user;
  drawLike(token);
  drawHeld(token);
  drawWaiting(user);
}

// changeUser shows another user than before, or none.
function changeUser(section, token, before) {
  const hadFocus = section.contains(document.activeElement);
  section.dataset.token = token;
  section.hidden = !token;
  if (!token) {
    if (hadFocus) focusUser(before);
    return;
  }
  byId("user-title").firstElementChild.textContent = shortToken(token);
  byId("whole-token").replaceChildren(...present([wholeToken(token)]));
  byId("copy-token").dataset.copy = token;
  byId("send").dataset.send = token;
  byId("reset-token").dataset.call = "POST " + ofToken("reset");
  byId("next").reset();
  byId("wrong").textContent = "";
  byId("like-wrong").textContent = "";
  byId("whole-answer").open = false;
  const isLaidOut = document.body.classList.contains("drawn");
  if (!isLaidOut) return;
  section.scrollIntoView({block: "nearest"});
  showChosenUser();
}

// showChosenUser scrolls the list of users, and nothing else, to the one that is chosen.
function showChosenUser() {
  const chosen = byId("users").querySelector("[aria-current]");
  if (!chosen) return;
  const list = chosen.closest("nav");
  const {top, bottom} = list.getBoundingClientRect();
  const item = chosen.getBoundingClientRect();
  const shadow = 30; // at the end of the list
  if (item.bottom > bottom - shadow) list.scrollTop += item.bottom - (bottom - shadow);
  if (item.top < top) list.scrollTop -= top - item.top;
}

// wholeToken has the whole of a token of which the title shows a part.
function wholeToken(token) {
  if (shortToken(token) === token) return false;
  return element("details.long", {},
    element("summary", {}, `All ${token.length} characters`),
    code(token));
}

function focusUser(token) {
  const links = [...byId("users").querySelectorAll("a")];
  links.find((link) => link.search === tokenQuery(token))?.focus();
}

function userSummary(user, answer) {
  if (user) return describedUser(user);
  if (answer) return `No user has this token: ${state.unknown.summary}.`;
  return "No user has this token.";
}

// normalAnswer says what is answered when no reply is played, unless the summary says so.
function normalAnswer(user, answer) {
  const isSaid = user && !user.like && !user.description && user.summary === answer;
  if (!answer || isSaid) return "";
  const never = state.replies.some(isAlways) ? ", not sent while a reply is played always" : "";
  return `A normal answer: ${answer}${never}.`;
}

// fetchCall is what a script writes to get the campaigns of a token.
function fetchCall(token) {
  const url = JSON.stringify(campaignsURL());
  const authorization = JSON.stringify("Bearer " + token);
  return `await fetch(${url}, {headers: {Authorization: ${authorization}}})` +
    ".then((answer) => answer.json())";
}

// drawHeld says how many requests are held, and offers to release them.
function drawHeld(token) {
  const count = state.held.length;
  const are = count === 1 ? " is" : " are";
  redraw(byId("held"), [count, token], () => count > 0 &&
    element("p", {}, counted(count, "request"), are, " held until released. ",
      releaseButton(token)));
}

// copyUser copies the chosen user as a file of fixtures. The server writes it: numbers here would
// lose digits.
async function copyUser() {
  const yaml = await getText(ofToken("users") + "&format=yaml").catch(() => "");
  if (!yaml) {
    notice("The server does not answer.");
    return;
  }
  copy(yaml);
}
