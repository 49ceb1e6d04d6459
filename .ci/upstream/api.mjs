// A real API, as many are: Express with sessions, compression and WebSockets. It speaks HTTPS with
// the files of CERTIFICATE and KEY, and prints its base URL.
import compression from "compression";
import express from "express";
import session from "express-session";
import {randomUUID} from "node:crypto";
import {readFileSync} from "node:fs";
import {createServer} from "node:https";
import {WebSocketServer} from "ws";

const {CERTIFICATE, KEY} = process.env;
const tokens = new Set();
const api = express.Router();

api.use(compression());
api.use(session({
  secret: "a secret of the API",
  resave: false,
  saveUninitialized: false,
  proxy: true,
  cookie: {domain: "api.example.com", path: "/v1", secure: true, sameSite: "none"},
}));

api.post("/session", express.json(), (request, response) => {
  request.session.name = request.body.name;
  const token = randomUUID();
  tokens.add(token);
  response.cookie("theme", "dark", {domain: "api.example.com", secure: true, sameSite: "none"});
  response.status(201).json({token});
});

api.get("/me", (request, response) => {
  const {name} = request.session;
  if (!name) return response.status(401).json({error: "log in first"});
  response.set("X-Request-Id", "17").json({name, origin: request.get("Origin")});
});

api.get("/user/campaigns", (request, response) => {
  const [, token] = (request.get("Authorization") ?? "").split(" ");
  if (!tokens.has(token)) return response.status(401).json({error: "no such token"});
  response.json({campaigns: [{id: "real", name: "A real campaign"}]});
});

// Redirects to itself, and to another host.
const home = (request) => `${request.protocol}://${request.get("Host")}/v1/me?from=home`;
api.get("/redirects/url", (request, response) => response.redirect(302, home(request)));
api.get("/redirects/away", (_, response) => response.redirect("https://other.example.com/v1/me"));

api.get("/events", (_, response) => {
  response.set({"Content-Type": "text/event-stream", "Cache-Control": "no-transform"});
  response.write("data: first\n\n");
  const timer = setInterval(() => response.write("data: next\n\n"), 20);
  response.on("close", () => clearInterval(timer));
});

api.put("/files/:name", async (request, response) => {
  let bytes = 0;
  for await (const part of request) bytes += part.length;
  response.json({bytes});
});
api.delete("/files/:name", (_, response) => response.status(204).end());
api.get("/text", (_, response) => response.type("text").send("campaign ".repeat(1000)));
api.get("/trailers", (_, response) => {
  response.set("Trailer", "X-Checksum");
  response.write("body");
  response.addTrailers({"X-Checksum": "17"});
  response.end();
});
api.get("/hints", (_, response) => {
  response.writeEarlyHints({link: "</style.css>; rel=preload"});
  response.send("hinted");
});
api.get("/urls{/*rest}", (request, response) => response.json(request.originalUrl));

const app = express();
app.use("/v1", api);
const files = {cert: readFileSync(CERTIFICATE), key: readFileSync(KEY)};
const server = createServer(files, app);
new WebSocketServer({server, path: "/v1/live"}).on("connection", (socket) => {
  socket.on("message", (data, isBinary) => socket.send(data, {binary: isBinary}));
});
server.listen(0, "127.0.0.1", () => {
  console.log(`https://localhost:${server.address().port}/v1`);
});
