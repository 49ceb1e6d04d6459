// A service that repeats what it was sent with the token, or what is in its list, where
// a careless one would. The first argument is the place, the second in which form.
import {createServer} from "node:http";

const [place, form] = process.argv.slice(2);
const {TOKEN} = process.env;

const forms = {
  raw: TOKEN,
  bearer: `Bearer ${TOKEN}`,
  url: encodeURIComponent(TOKEN),
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
  name: "Kestrel Zeta",
  "name-lower": "kestrel zeta",
  "name-slug": "kestrel-zeta",
  id: "kestrelid-alpha",
  status: "active",
  host: "localhost",
  "host-upper": "LOCALHOST",
};
const word = forms[form];

const campaigns = ["alpha", "beta", "gamma"].map((letter) => ({
  id: `kestrelid-${letter}`,
  name: place === "name" ? word : letter === "beta" ? "Kestrel Zeta" : `Kestrel ${letter}`,
  created_at: "2026-01-05T09:30:00Z",
  updated_at: "2026-03-02T08:15:00Z",
  status: "active",
}));

// echo returns the word at one place, and something harmless at all others.
const echo = (at, harmless) => (place === at ? word : harmless);

function answer(request) {
  const problem = (status, title, detail) => [status, {"Content-Type": "application/problem+json"}, {type: "about:blank", title, status, detail}];
  const token = request.headers.authorization;
  if (request.method === "OPTIONS") {
    return [204, {}, ""];
  }
  if (!request.url.startsWith("/api/user/campaigns")) {
    if (place === "error-key") {
      return [404, {"Content-Type": "application/json"}, {message: "Not Found", [word]: "here"}];
    }
    if (place === "error-text") {
      return [404, {"Content-Type": "text/plain"}, `Not found: ${word}`];
    }
    return problem(404, "Not Found", place === "error" ? `Nothing here for ${word}` : "Nothing here");
  }
  if (token !== `Bearer ${TOKEN}`) {
    const found = problem(401, "Unauthorized", "Who are you?");
    found[1]["WWW-Authenticate"] = place === "challenge" ? `Bearer realm="${word}"` : "Bearer";
    if (place === "scheme") found[1]["WWW-Authenticate"] = word;
    return found;
  }
  const headers = {"Content-Type": "application/json"};
  if (place === "header") headers["X-Echo"] = word;
  if (place === "limit-header") headers[`X-RateLimit-${word}`] = "1";
  if (place === "type") headers["Content-Type"] = `application/${word}+json`;
  const body = {[echo("envelope", "campaigns")]: campaigns};
  if (place === "beside") body[word] = 1;
  if (place === "beside-text") body.note = word;
  return [200, headers, place === "field" ? {campaigns: campaigns.map((campaign) => ({...campaign, [word]: 1}))}
    : place === "key" ? {campaigns: campaigns.map((campaign) => ({...campaign, owner: {[word]: 1}}))}
    : place === "status" ? {campaigns: campaigns.map((campaign) => ({...campaign, status: word}))}
    : place === "ids" ? {campaigns: campaigns.map((campaign, i) => ({...campaign, id: `${word}-${i}`}))}
    : place === "nested" ? {[word]: body}
    : body];
}

const server = createServer((request, response) => {
  process.stderr.write(`${request.method} ${request.url}\n`);
  const [status, headers, body] = answer(request);
  response.writeHead(status, headers);
  response.end(body === "" ? undefined : typeof body === "string" ? body : JSON.stringify(body));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
