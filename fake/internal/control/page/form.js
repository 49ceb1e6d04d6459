// The panel "Next answer", where buttons and a form enqueue replies.

// playPreset enqueues the reply in the attribute data-reply of a button, or of the element around
// two buttons. The attribute data-times says how often the server plays the reply. Without it, the
// server plays the reply once.
async function playPreset(button) {
  const reply = JSON.parse(button.closest("[data-reply]").dataset.reply);
  const {times} = button.dataset; // JSON.stringify leaves out undefined
  const name = button.ariaLabel ?? button.textContent;
  const wrong = await enqueue(JSON.stringify({...reply, times}), `The next answer: ${name}.`);
  if (wrong) notice(wrong);
}

// playForm enqueues the reply that is filled into the form.
async function playForm(event) {
  event.preventDefault();
  const form = event.target;
  const wrong = wrongOfForm(form.elements) ?? await enqueueForm(form);
  if (wrong) {
    byId("wrong").textContent = wrong;
  } else {
    form.reset(); // otherwise "always" would stay for the next reply, too
  }
}

function enqueueForm(form) {
  return enqueue(JSON.stringify(replyOf(form)), "It is played next.");
}

// wrongOfForm says what is wrong with the form, and returns undefined if nothing is wrong. It
// checks only two things, which the server would not explain in the words of the form.
function wrongOfForm({headers, delay, for: times}) {
  const line = linesOf(headers.value).find((typed) => !typed.includes(":"));
  if (line) return `headers: "${shortText(line)}" has no colon; write Name: value`;
  const holds = delay.value.trim() === "until released";
  const isOften = !["1", "always"].includes(times.value);
  if (holds && isOften) {
    return "A reply that is held until released holds all requests until then; " +
      "choose once or always under For.";
  }
  return undefined;
}

// replyOf returns the reply that is filled into a form. It checks nothing, since the server refuses
// a wrong reply.
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

// bodyOf reads the typed body of an answer, as JSON if it is JSON, and as text otherwise. A JSON
// string such as "hello" is text, too, and keeps its quotes.
function bodyOf(typed) {
  try {
    const value = JSON.parse(typed, withAllDigits);
    if (typeof value !== "string") return {value, kind: "It is sent as JSON."};
  } catch {
    // The typed body is not JSON, so it is sent as text.
  }
  return {value: typed, kind: "It is sent as text."};
}

// withAllDigits is a reviver for JSON.parse. It keeps all digits of a number, for example of 1.50,
// if the browser has JSON.rawJSON. In other browsers, the number is as JSON.parse reads it: 1.5.
function withAllDigits(key, value, {source} = {}) {
  const hasOtherDigits = typeof value === "number" && source && source !== String(value);
  return hasOtherDigits && JSON.rawJSON ? JSON.rawJSON(source) : value;
}

function linesOf(typed) {
  return typed.split("\n").filter((line) => line.trim());
}

// headersOf reads one header from each line, such as Retry-After: 2. It returns undefined if there
// is no header.
function headersOf(typed) {
  const headers = new Map();
  for (const line of linesOf(typed)) {
    const [typedName, ...rest] = line.split(":");
    const name = typedName.trim();
    const value = rest.join(":").trim();
    const values = headers.get(name) ?? [];
    headers.set(name, [...values, value]);
  }
  if (headers.size === 0) return undefined;
  const fields = [...headers].map(([name, values]) => {
    return [name, values.length === 1 ? values[0] : values];
  });
  return Object.fromEntries(fields);
}

// drawForm reacts to typing into the form: it clears an old error, and says how the body is sent.
function drawForm({target}) {
  byId("wrong").textContent = "";
  if (target.name !== "body") return;
  byId("body-kind").textContent = target.value && bodyOf(target.value).kind;
}

// forgetForm removes what the form says about the typed body.
function forgetForm() {
  byId("body-kind").textContent = "";
}
