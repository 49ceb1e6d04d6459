// A service that repeats what it was sent with the token, or what only its customers may
// know, where a careless one would. The first argument is the place, or "everywhere"; the
// second is what it repeats.
import {createServer} from "node:http";

const [place, form] = process.argv.slice(2);
const {TOKEN} = process.env;
const name = "Kestrel Zeta";

const forms = {
  raw: TOKEN,
  bearer: `Bearer ${TOKEN}`,
  "url-form": encodeURIComponent(TOKEN),
  "url-lower": encodeURIComponent(TOKEN).replace(/%../g, (code) => code.toLowerCase()),
  "url-all": [...Buffer.from(TOKEN)].map((byte) => "%" + byte.toString(16)).join(""),
  base64: Buffer.from(TOKEN).toString("base64"),
  base64url: Buffer.from(TOKEN).toString("base64url"),
  "base64-of-header": Buffer.from(`Bearer ${TOKEN}`).toString("base64"),
  hex: Buffer.from(TOKEN).toString("hex"),
  "hex-upper": Buffer.from(TOKEN).toString("hex").toUpperCase(),
  part: TOKEN.slice(2, 12),
  turned: `${TOKEN} Bearer`,
  backwards: [...TOKEN].reverse().join(""),
  upper: TOKEN.toUpperCase(),
  spaced: TOKEN.match(/.{1,4}/g).join(" "),
  name,
  "name-lower": name.toLowerCase(),
  "name-upper": name.toUpperCase(),
  "name-slug": "kestrel-zeta",
  "name-snake": "KESTREL_ZETA",
  "name-camel": "kestrelZeta",
  "name-piece": "kestrel",
  "name-in-text": "The campaign Kestrel Zeta was not found.",
  id: "kestrelid-alpha",
  "id-slug": "kestrelid_alpha",
  person: "Jane Doe",
  "person-slug": "jane-doe",
  sentence: "Contact Jane Doe, jane@kestrel.example",
  email: "jane.doe@kestrel.example",
  phone: "+49 30 7744 7744",
  digits: "77447744",
  passphrase: "correct horse battery",
  "passphrase-snake": "correct_horse_battery",
  path: "/home/kestrel/src/app.py",
  url: "https://kestrel.example/jane/7744",
  host: "localhost",
  "host-upper": "LOCALHOST",
  word: "quagmire",
};
const word = forms[form];

// echo returns the word at one place, and something harmless at all others.
const echo = (at, harmless) => (place === at || place === "everywhere" ? word : harmless);
// header makes a text one that can be the value of a header, and key the name of one.
const header = (text) => text.replace(/[^ -~]/g, "");
const key = (text) => text.replace(/[^A-Za-z0-9-]/g, "");

const campaigns = Array.from({length: 24}, (_, i) => ({
  id: i ? echo("ids", "kestrelid") + "-" + i : "kestrelid-alpha",
  name: i ? echo("name", `Kestrel No. ${i}`) : name,
  created_at: "2026-01-05T09:30:00Z",
  updated_at: "2026-03-02T08:15:00Z",
  status: i % 2 ? echo("status", "active") : "draft",
  kind: i % 2 ? echo("enum", "red") : "blue",
  note: echo("text", "A text of some words."),
  [echo("field", "score")]: 1,
  owner: {[echo("key", "level")]: 1, tags: [echo("element", "green")]},
  counts: {[echo("map-key", "clicks")]: 1, [`${i}`]: 1},
}));

function refusal(status, title) {
  const type = place === "everywhere" || place === "error-text" ? "text/plain" : `application/${echo("type", "problem")}+json`;
  const body = {type: "about:blank", title, status, detail: echo("error", "Something is wrong."), secret: echo("error-value", "no"), code: echo("code", 7), errors: [echo("error-list", "x")], [echo("error-key", "hint")]: "here"};
  const headers = {"Content-Type": type.replace(/[^ -~]/g, ""), "WWW-Authenticate": header(`${key(echo("scheme", "Bearer"))} realm="${echo("challenge", "api")}", error="${echo("challenge-error", "invalid_token")}"`)};
  return [status, headers, type === "text/plain" ? `Wrong: ${word}` : body];
}

function answer(request) {
  if (request.method === "OPTIONS") {
    return [204, {}, ""];
  }
  if (!request.url.startsWith("/api/user/campaigns")) {
    return place === "everywhere" ? [404, {"Content-Type": "application/json"}, {message: word, error: word, code: word, [word]: [word, {[word]: word}]}] : refusal(404, "Not Found");
  }
  if (request.headers.authorization !== `Bearer ${TOKEN}`) {
    return refusal(401, "Unauthorized");
  }
  const headers = {"Content-Type": "application/json", "X-Echo": header(echo("header", "no")), [`X-RateLimit-${key(echo("limit-header", "Limit"))}`]: "1"};
  const body = {[echo("envelope", "campaigns")]: campaigns, [echo("beside", "total") + (place === "everywhere" ? "s" : "")]: 1, note: echo("beside-text", "")};
  return [200, headers, place === "nested" || place === "everywhere" ? {[word]: body} : body];
}

const server = createServer((request, response) => {
  process.stderr.write(`${request.method} ${request.url}\n`);
  const [status, headers, body] = answer(request);
  response.writeHead(status, headers);
  response.end(body === "" ? undefined : typeof body === "string" ? body : JSON.stringify(body));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
