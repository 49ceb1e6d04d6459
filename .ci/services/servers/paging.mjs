// A service that honours ?page= and ?per_page=, and knows no other method than GET. The
// argument is the status that it answers to OPTIONS.
import {createServer} from "node:http";

const [options] = process.argv.slice(2);
const {TOKEN} = process.env;

const campaigns = Array.from({length: 12}, (_, i) => ({
  id: `c0ffee42-3c1f-4e77-8d5a-${String(i).padStart(12, "0")}`,
  name: `Kestrel No. ${i}`,
  created_at: "2026-01-05T09:30:00Z",
  updated_at: "2026-03-02T08:15:00Z",
  status: ["draft", "active"][i % 2],
}));

let asked = 0;

function answer(request) {
  const problem = (status, title, headers = {}) => [status, {"Content-Type": "application/problem+json", ...headers}, {type: "about:blank", title, status, detail: `This is request ${asked}.`}];
  const url = new URL(request.url, "http://localhost");
  if (url.pathname !== "/api/user/campaigns") {
    return problem(404, "Not Found");
  }
  if (request.method === "OPTIONS") {
    return problem(Number(options), options === "401" ? "Unauthorized" : "Method Not Allowed", {Allow: "GET"});
  }
  if (request.method !== "GET") {
    return problem(405, "Method Not Allowed", {Allow: "GET"});
  }
  if (request.headers.authorization !== `Bearer ${TOKEN}`) {
    return problem(401, "Unauthorized", {"WWW-Authenticate": request.headers.authorization ? 'Bearer error="invalid_token"' : "Bearer"});
  }
  const size = Number(url.searchParams.get("per_page") ?? 5);
  const start = (Number(url.searchParams.get("page") ?? 1) - 1) * size;
  return [200, {"Content-Type": "application/json"}, {campaigns: campaigns.slice(start, start + size)}];
}

const server = createServer((request, response) => {
  asked++;
  process.stderr.write(`${request.method} ${request.url}\n`);
  const [status, headers, body] = answer(request);
  response.writeHead(status, headers);
  response.end(JSON.stringify(body));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
