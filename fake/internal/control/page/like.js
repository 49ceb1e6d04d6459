// The form "Behave like": the chosen token gets a copy of a user, and so behaves like that user.

// drawLike draws the form for a token: the users that it can copy, and the button that takes the
// copy away.
function drawLike(token) {
  const {users} = state;
  const own = users.find((user) => user.token === token);
  const models = users.filter((user) => isModel(user) && user.token !== token);
  drawModels(token, own?.like ?? "", models.map((user) => user.token));
  byId("like").hidden = models.length === 0;
  byId("like-choice").hidden = isOnlyHere(own);
  drawWayBack(token, own);
  say("like-hint", likeHint(token, own));
}

// drawModels draws the list of users that the token can copy. If the reader has chosen a user and
// not applied the choice yet, the choice stays when users are added or removed.
function drawModels(token, current, models) {
  const list = byId("likes");
  const shown = JSON.stringify([token, current]);
  const chosen = list.dataset.shown === shown ? list.value : current;
  list.dataset.shown = shown;
  redraw(list, [token, current, models], () => [
    element("option", {value: ""}, "choose a user"),
    models.map((model) => modelOption(model, chosen)),
  ]);
}

// isModel says whether drawLike offers a user for copying. It offers a user that was given to
// exactly this token. So it does not offer demo~1, which only has the user of demo. It does not
// offer a copy of another user either.
function isModel({given, like}) {
  return Boolean(given) && !like;
}

// isOnlyHere says whether a user exists only in this server: it was given while the server ran, is
// no copy, and is in no fixtures. If its token got another user, it would be lost.
function isOnlyHere(own) {
  return isOfNow(own) && !own.like;
}

// isOfNow says whether a token got its user while the server ran.
function isOfNow(own) {
  return ["later", "replaced"].includes(own?.given);
}

function modelOption(token, chosen) {
  return element("option", {value: token, selected: token === chosen}, shortToken(token));
}

// drawWayBack draws the button that takes the copied user away from the token again. The button is
// hidden if the token has no copy.
function drawWayBack(token, own) {
  const button = byId("unlike");
  const isCopy = isOfNow(own) && own.like;
  if (!isCopy && button === document.activeElement) byId("likes").focus();
  button.hidden = !isCopy;
  if (own?.given === "replaced") {
    say("unlike", "Back to its own user");
    button.dataset.call = "POST " + ofToken("reset");
    button.dataset.done = "The token is as it was at the start.";
  } else {
    say("unlike", "As before");
    button.dataset.call = "DELETE " + ofToken("users") + "&anew=false";
    button.dataset.done = "It behaves as before.";
  }
}

// likeHint returns a hint for a token that may get a copy of a user. The hint says why the token
// cannot get a copy, or which effect of a copy may surprise people. If there is nothing to say,
// likeHint returns "".
function likeHint(token, own) {
  const name = shortToken(token);
  if (isOnlyHere(own)) {
    return `${name} cannot get another user here: its own came while the server ran, ` +
      "and would be lost.";
  }
  if (own?.given === "start") {
    return `Until ${name} is reset, it then behaves like the user that you choose.`;
  }
  if (own?.given === "replaced") {
    return `Its own user comes back when ${name} is reset, which clears its requests, too.`;
  }
  return "";
}

// behave gives the chosen token a copy of the user that is chosen in the list.
async function behave(event) {
  event.preventDefault();
  clearNotices();
  const like = byId("likes").value;
  const copied = `&like=${encodeURIComponent(like)}&anew=false`;
  const {wrong} = await change("PUT " + ofToken("users") + copied);
  refresh();
  if (wrong) {
    byId("like-wrong").textContent = wrong;
  } else {
    notice(`It behaves like ${shortToken(like)}.`);
  }
}
