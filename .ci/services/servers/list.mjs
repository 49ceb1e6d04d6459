// A small service that answers with a bare array, and with an error and a message where
// something is wrong. By default all that it answers has the status 200, and every
// token is good enough; with the argument strict it has the usual statuses, and looks at
// the token.
import {createServer} from "node:http";

const strict = process.argv.includes("strict");
const {TOKEN} = process.env;

const campaigns = Array.from({length: 9}, (_, i) => ({
  id: `cmp_7744${String(i).padStart(4, "0")}`,
  name: `Kestrel No. ${i}`,
  created_at: `2026-07-2${i} 10:00:00`,
  updated_at: `2026-08-0${i + 1} 17:45:00`,
  status: ["in-progress", "on-hold", "done"][i % 3],
}));

function answer(request) {
  const token = request.headers.authorization;
  if (new URL(request.url, "http://localhost").pathname !== "/api/user/campaigns") {
    return [404, {error: "not_found", message: "No such route"}];
  }
  if (!token) {
    return [401, {error: "unauthorized", message: "Token required"}];
  }
  if (strict && token !== `Bearer ${TOKEN}`) {
    return [403, {error: "forbidden", message: "Unknown token"}];
  }
  return [200, campaigns];
}

const server = createServer((request, response) => {
  process.stderr.write(`${request.method} ${request.url}\n`);
  const [status, body] = answer(request);
  response.writeHead(strict ? status : 200, {"Content-Type": "application/json; charset=utf-8", "X-Powered-By": "Express"});
  response.end(JSON.stringify(body));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
