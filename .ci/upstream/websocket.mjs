// Sends messages of all kinds to a WebSocket that repeats them, and fails if one does not
// come back.
import assert from "node:assert/strict";
import {once} from "node:events";
import {WebSocket} from "ws";

const socket = new WebSocket(process.argv[2]);
await once(socket, "open");
const large = Buffer.alloc(100_000, "campaign");
for (const message of ["text", "", "ünïcödé", Buffer.from([0, 255]), large]) {
  socket.send(message);
  const [data, isBinary] = await once(socket, "message");
  assert.deepEqual(isBinary ? data : data.toString(), message);
}
socket.ping("are you there");
const [pong] = await once(socket, "pong");
assert.equal(pong.toString(), "are you there");
socket.close(1000, "enough");
const [code] = await once(socket, "close");
console.log("closed with", code);
