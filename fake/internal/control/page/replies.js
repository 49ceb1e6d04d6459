// The replies of the chosen user that wait, and the next one, which the form makes.

function drawWaiting(user) {
  const {replies} = state;
  redraw(byId("waiting"), [replies, user?.repeat], () => [
    waitingList(replies, user?.repeat),
    replies.some(({enqueued}) => enqueued) && normalButton(),
  ]);
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

function normalButton() {
  const attributes = {
    type: "button",
    "data-call": "DELETE " + ofToken("replies"),
    "data-done": "Back to normal.",
  };
  return element("button", attributes, "Back to normal");
}

// enqueue has a reply played for the chosen token, and returns what is wrong. If
// nothing is, it says when the reply is played.
async function enqueue(reply, next) {
  clearNotices();
  const {wrong, answer} = await change("POST " + ofToken("replies"), reply);
  refresh();
  if (wrong) return wrong;
  const {before} = answer;
  const others = before === 1 ? "reply" : "replies";
  notice(before > 0 ? `It waits behind ${before} other ${others}.` : next);
}

// playForm enqueues the reply that the form makes.
async function playForm(event) {
  event.preventDefault();
  const form = event.target;
  const wrong = await enqueue(JSON.stringify(replyOf(form)), "It is played next.");
  if (wrong) {
    byId("wrong").textContent = wrong;
  } else {
    form.reset(); // or "always" would hold for the next one too
  }
}

// replyOf is the reply that a form makes. The server refuses what cannot be one.
function replyOf(form) {
  const {status, fault, delay, body, headers, for: times} = form.elements;
  const reply = {};
  if (status.value.trim()) reply.status = numberOrText(status.value.trim());
  if (fault.value) reply.fault = fault.value;
  if (delay.value.trim()) reply.delay = delay.value.trim();
  if (body.value) reply.body = bodyOf(body.value).value;
  const typedHeaders = headersOf(headers.value);
  if (typedHeaders) reply.headers = typedHeaders;
  reply.times = times.value === "always" ? "always" : Number(times.value);
  return reply;
}

function numberOrText(typed) {
  return /^\d+$/.test(typed) ? Number(typed) : typed;
}

// bodyOf is what is typed as the body of an answer: JSON if it is that, else text. A JSON text
// is sent with its quotes.
function bodyOf(typed) {
  try {
    const value = JSON.parse(typed, withAllDigits);
    if (typeof value !== "string") return {value, kind: "It is sent as JSON."};
  } catch {
    // It is text.
  }
  return {value: typed, kind: "It is sent as text."};
}

// withAllDigits keeps all digits of a number, where the browser can.
function withAllDigits(key, value, {source} = {}) {
  const hasOtherDigits = typeof value === "number" && source && source !== String(value);
  return hasOtherDigits && JSON.rawJSON ? JSON.rawJSON(source) : value;
}

// headersOf reads a header from each line; undefined if there is none.
function headersOf(typed) {
  const headers = new Map();
  for (const line of typed.split("\n")) {
    if (!line.trim()) continue;
    const [, typedName, value] = /^([^:]*)(?::(.*))?$/.exec(line);
    const name = typedName.trim();
    const values = headers.get(name) ?? [];
    headers.set(name, [...values, value?.trim() ?? null]);
  }
  if (headers.size === 0) return undefined;
  const fields = [...headers].map(([name, values]) => {
    return [name, values.length === 1 ? values[0] : values];
  });
  return Object.fromEntries(fields);
}

// drawForm says how a body that is typed is sent, and takes back what was wrong before.
function drawForm({target}) {
  byId("wrong").textContent = "";
  if (target.name !== "body") return;
  byId("body-kind").textContent = target.value && bodyOf(target.value).kind;
}
