// Requests that are held until they are released, and the button that releases them.

// drawHeld says how many requests are held, and offers to release them.
function drawHeld(token) {
  const count = state.held.length;
  const are = count === 1 ? " is" : " are";
  redraw(byId("held"), [count, token], () => count > 0 &&
    element("p", {}, counted(count, "request"), are, " held until released. ",
      releaseButton(token)));
}

function releaseButton(token) {
  const attributes = {
    type: "button",
    "data-call": "POST release" + tokenQuery(token),
    "data-done": "Released.",
    title: `All requests of ${shortToken(token) || "no token"} that are held are answered`,
  };
  return element("button.release", attributes, "Release");
}
