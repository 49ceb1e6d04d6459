// The panel of the chosen user.

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

// changeUser changes the panel to the user of a token, or hides it if the token is "". The argument
// `before` is the token that the panel showed before.
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
  byId("delete-requests").dataset.call = "DELETE " + ofToken("requests");
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

// wholeToken shows the whole token, if the title shows only a part of it.
function wholeToken(token) {
  if (shortToken(token) === token) return false;
  return element("details.long", {},
    element("summary", {}, `All ${token.length} characters`),
    code(token));
}

function userSummary(user, answer) {
  if (user) return describedUser(user);
  if (answer) return `No user has this token: ${state.unknown.summary}.`;
  return "No user has this token.";
}

// normalAnswer says what the server answers when it plays no reply. It is "" if the summary says
// the same.
function normalAnswer(user, answer) {
  const isSaid = user && !user.like && !user.description && user.summary === answer;
  if (!answer || isSaid) return "";
  const isReplaced = state.replies.some(isAlways);
  const instead = isReplaced ? " A reply that is played always is sent instead." : "";
  return `The normal answer: ${answer}.${instead}`;
}

// fetchCall returns JavaScript that gets the campaigns of a token.
function fetchCall(token) {
  const url = JSON.stringify(campaignsURL());
  const authorization = JSON.stringify("Bearer " + token);
  return `await fetch(${url}, {headers: {Authorization: ${authorization}}})` +
    ".then((answer) => answer.json())";
}

// copyUser copies the chosen user as a file of fixtures. The server writes the file: in JavaScript,
// long numbers would lose digits.
async function copyUser() {
  const {text, wrong} = await ask("GET", ofToken("users") + "&format=yaml");
  if (wrong) {
    notice(wrong);
    return;
  }
  copy(text);
}
