// The replies of the chosen user that wait, and how one more is added.

function drawWaiting(user) {
  const {replies} = state;
  redraw(byId("waiting"), [replies, user?.repeat], () => waitingList(replies, user?.repeat));
  // The button has a place of its own, since it is drawn anew less often than the list. A click on
  // a button is lost if it is drawn anew before the mouse is up.
  const call = replies.some(({enqueued}) => enqueued) && "DELETE " + ofToken("replies");
  redraw(byId("back-to-normal"), call, () => call && normalButton(call));
}

// waitingList has the replies that wait, in the order in which they are played. One that
// is played always keeps those after it from being played.
function waitingList(replies, repeats) {
  if (replies.length === 0) return false;
  const always = replies.findIndex(isAlways);
  const items = replies.map((reply, i) => {
    const isReached = always < 0 || i <= always;
    const isUnderWay = reply.played > 0 && i !== always;
    return waitingItem(reply, isReached, isUnderWay);
  });
  return [
    element("h3", {}, "Waiting to be played"),
    element("ol", {}, items),
    repeats && always < 0 && element("p.hint", {}, "Then the user’s own from the start."),
  ];
}

function waitingItem(reply, isReached, isUnderWay) {
  const name = isReached ? "li" : "li.unreached";
  return element(name, {"aria-current": isUnderWay && "step"},
    reply.summary, " ",
    element("small", {},
      timesLeft(reply),
      !reply.enqueued && ", of the user’s own",
      !isReached && ", not reached"));
}

function isAlways({reply}) {
  return reply.times === "always";
}

function timesLeft({reply: {times = 1}, played}) {
  if (times === "always") return "always";
  const left = times - played;
  return left > 1 ? left + " times" : "once";
}

function normalButton(call) {
  const attributes = {type: "button", "data-call": call, "data-done": "Back to normal."};
  return element("button", attributes, "Back to normal");
}

// enqueue has a reply played for the chosen token, and returns what is wrong. If
// nothing is, it says when the reply is played.
async function enqueue(reply, next) {
  clearNotices();
  const {wrong, text} = await change("POST " + ofToken("replies"), reply);
  refresh();
  if (wrong) return wrong;
  const {before} = JSON.parse(text);
  const others = before === 1 ? "reply" : "replies";
  notice(before > 0 ? `It waits behind ${before} other ${others}.` : next);
}
