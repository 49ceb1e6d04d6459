// What the page shows while its list of requests is empty.

function drawNothing() {
  const isNothing = byId("requests").children.length === 0;
  const token = chosenToken() || state.users[0]?.token || "any-token";
  const source = [isNothing, linkTo({}), token, state.health.base_url];
  redraw(byId("nothing"), source, () => isNothing && whatToDo(token));
}

function whatToDo(token) {
  const isSelected = isNarrowed() || searchWords().length > 0;
  return isSelected ? nothingFound() : firstSteps(token);
}

// nothingFound says that no request fits the selection, and offers all requests.
function nothingFound() {
  const all = linkTo({search: "", show: chosenToken() ? "all" : ""});
  return element("p", {}, "Nothing was found. ",
    element("a", {href: all, "data-go": true}, "Show all requests"));
}

// firstSteps says how to send the first request. If no token is chosen, `token` is an example.
function firstSteps(token) {
  const whose = isOfToken() ? `of ${shortToken(token)} ` : "";
  const orAnother = isOfToken() ? "" : ", or the token of another user.";
  const header = "Authorization: Bearer " + token;
  const command = curl(campaignsURL(), [header]);
  return [
    element("h3", {}, `Nothing ${whose}has arrived yet.`),
    element("ol", {},
      element("li", {}, "Point your app at ", code(state.health.base_url), "."),
      element("li", {}, "Have it send ", code(longText(header)), orAnother),
      element("li", {},
        "Or try it: ", code(longText(command)),
        element("p.copies", {}, copyButton(command), sendButton(token))),
      element("li", {}, lastStep(token))),
  ];
}

function lastStep(token) {
  if (chosenToken()) return "Choose its next answer above, and send a request again.";
  const link = element("a", {href: tokenQuery(token), "data-go": "user"}, "Click a user");
  return [link, ", choose its next answer, and send a request again."];
}

function sendButton(token) {
  return element("button", {type: "button", "data-send": token}, "Send it from here");
}
