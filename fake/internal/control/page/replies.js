// The waiting replies of the chosen user, and how the page enqueues another reply.

function drawWaiting(user) {
  const {replies} = state;
  redraw(byId("waiting"), [replies, user?.repeat], () => waitingList(replies, user?.repeat));
  // The button has its own element, so that it is drawn less often than the list. If the button is
  // drawn again while somebody presses it, the click is lost.
  const call = replies.some(({enqueued}) => enqueued) && "DELETE " + ofToken("replies");
  redraw(byId("back-to-normal"), call, () => call && normalButton(call));
}

// waitingList shows the waiting replies in the order in which they are played. If a reply is played
// always, the replies after it are not reached.
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

// enqueue sends a reply for the chosen token to the server. It returns an error if that fails.
//
// Otherwise it shows a notice. If the server plays this reply next, the notice is the text in the
// argument `next`. If other replies come first, the notice says how many.
async function enqueue(reply, next) {
  clearNotices();
  const {wrong, text} = await change("POST " + ofToken("replies"), reply);
  refresh();
  if (wrong) return wrong;
  const {before} = JSON.parse(text);
  const others = before === 1 ? "reply" : "replies";
  notice(before > 0 ? `It waits behind ${before} other ${others}.` : next);
}
