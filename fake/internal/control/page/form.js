// The next answer, which a button or the form makes.

// playPreset enqueues the reply of a button, or of the pair in which the button stands. Its
// data-times says how often, and it is played once if there is none.
async function playPreset(button) {
  const reply = JSON.parse(button.closest("[data-reply]").dataset.reply);
  const {times} = button.dataset; // undefined is left out
  const name = button.ariaLabel ?? button.textContent;
  const wrong = await enqueue(JSON.stringify({...reply, times}), `The next answer: ${name}.`);
  if (wrong) notice(wrong);
}

// playForm enqueues the reply that the form makes.
async function playForm(event) {
  event.preventDefault();
  const form = event.target;
  const wrong = wrongOfForm(form.elements) ?? await enqueueForm(form);
  if (wrong) {
    byId("wrong").textContent = wrong;
  } else {
    form.reset(); // or "always" would hold for the next one too
  }
}

function enqueueForm(form) {
  return enqueue(JSON.stringify(replyOf(form)), "It is played next.");
}

// wrongOfForm says what is wrong with the form where the server does not know how it is filled in;
// undefined if nothing is.
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

// linesOf returns the lines of a text that are not empty.
function linesOf(typed) {
  return typed.split("\n").filter((line) => line.trim());
}

// headersOf reads a header from each line; undefined if there is none.
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

// drawForm says how a body that is typed is sent, and takes back what was wrong before.
function drawForm({target}) {
  byId("wrong").textContent = "";
  if (target.name !== "body") return;
  byId("body-kind").textContent = target.value && bodyOf(target.value).kind;
}

// forgetForm takes back what the form said of what was typed into it.
function forgetForm() {
  byId("body-kind").textContent = "";
}
