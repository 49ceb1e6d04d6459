// What to do as long as nothing has arrived.

function drawNothing() {
  const isNothing = byId("requests").children.length === 0;
  const isSelected = isNarrowed() || searchWords().length > 0;
  const isDrawn = isNothing && !isSelected;
  const token = chosenToken() || state.users[0]?.token || "any-token";
  const source = [isDrawn, isOfToken(), token, state.health.base_url];
  redraw(byId("nothing"), source, () => isDrawn && firstSteps(token));
}

// firstSteps says what to do with a token, which is an example if none is chosen.
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
        element("p.copies", {}, copyButton(command), sendButton(token)))),
  ];
}

function sendButton(token) {
  return element("button", {type: "button", "data-send": token}, "Send it from here");
}
