// The user that the chosen token behaves like.

// drawLike draws the list of users that the chosen token can be made like, and the way back.
function drawLike(token) {
  const {users} = state;
  const own = users.find((user) => user.token === token);
  const models = users.filter((user) => isModel(user) && user.token !== token);
  drawModels(token, own?.like ?? "", models.map((user) => user.token));
  const follower = users.find((user) => user.given && user.like === token);
  byId("like").hidden = models.length === 0;
  byId("like-choice").hidden = isOnlyHere(own) || follower !== undefined;
  drawWayBack(token, own);
  say("like-hint", likeHint(token, own, follower));
}

// drawModels draws the users of which one can be chosen. What was chosen and not yet applied stays
// chosen when users come or go.
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

// isModel says whether others can be like a user: it has to be one, and like none itself.
function isModel({given, like}) {
  return Boolean(given) && !like;
}

// isOnlyHere says whether a user would be lost if its token got another: it came while the
// server ran, and no fixtures have it.
function isOnlyHere(own) {
  return isOfNow(own) && !own.like;
}

// isOfNow says whether a user was given to its token while the server ran.
function isOfNow(own) {
  return ["later", "replaced"].includes(own?.given);
}

function modelOption(token, chosen) {
  return element("option", {value: token, selected: token === chosen}, shortToken(token));
}

// drawWayBack draws the button by which a token that was made like a user is so no more.
function drawWayBack(token, own) {
  const button = byId("unlike");
  const isMadeLike = isOfNow(own) && own.like;
  if (!isMadeLike && button === document.activeElement) byId("likes").focus();
  button.hidden = !isMadeLike;
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

// likeHint says what comes of a change where one might not expect it, or why there can be none.
function likeHint(token, own, follower) {
  const name = shortToken(token);
  if (follower) {
    return `${shortToken(follower.token)} is like ${name}, which so cannot be like another itself.`;
  }
  if (isOnlyHere(own)) {
    return `${name} cannot be made like another here: its user came while the server ran, ` +
      "and would be lost.";
  }
  if (own?.given === "start") {
    return `${name} behaves so until it is reset, and so do tokens that are like it ` +
      "and have not asked yet.";
  }
  if (own?.given === "replaced") {
    return `Its own user comes back when ${name} is reset, which clears its requests, too.`;
  }
  return "";
}

// behave makes the chosen token like the user that is chosen in the list.
async function behave(event) {
  event.preventDefault();
  clearNotices();
  const like = byId("likes").value;
  const {wrong} = await change("PUT " + ofToken("users") + "&anew=false", JSON.stringify({like}));
  refresh();
  if (wrong) {
    byId("like-wrong").textContent = wrong;
  } else {
    notice(`It behaves like ${shortToken(like)}.`);
  }
}
