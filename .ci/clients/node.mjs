// Node meets the requests that stand on standard input as JSON, one after the
// other, and prints what came of each.
import {readFileSync} from "node:fs";
import {meet} from "./meet.mjs";

const {base, requests} = JSON.parse(readFileSync(0, "utf8"));
for (const request of requests) console.log(await meet(base, request));
