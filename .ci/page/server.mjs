// The server that a test has to itself.
import {spawn} from "node:child_process";
import {createInterface} from "node:readline";

// serve starts the command with some arguments, on a port of its own unless they
// say which, and stops it when the test ends.
export async function serve(t, ...args) {
  if (!args.includes("--listen")) args.unshift("--listen", "127.0.0.1:0");
  const child = spawn(process.env.CAMPAIGNFAKE, args, {stdio: ["ignore", "pipe", "pipe"]});
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const stop = () => (child.kill("SIGINT"), ended);
  // Whoever looks at it leaves before, or would see it go away.
  const leave = [];
  t.after(async () => {
    try {
      for (const left of leave) await left();
    } finally {
      await stop();
    }
  });
  const base = await new Promise((resolve, reject) => {
    let said = "";
    const read = (line) => {
      said += line + "\n";
      const found = /^ +base URL +(\S+)$/.exec(line);
      if (found) resolve(found[1]);
    };
    for (const stream of [child.stdout, child.stderr]) createInterface({input: stream}).on("line", read);
    ended.then(() => reject(new Error(`the server does not start with ${args.join(" ")}:\n${said}`)));
  });
  const {origin, host} = new URL(base);
  return {
    base, origin, host, stop, leave, page: origin + "/_fake/",

    // ask sends what an app would send.
    ask: (token, headers) => fetch(base + "/user/campaigns", {headers: {Authorization: "Bearer " + token, ...headers}}),

    // plane sends a request to the control plane, and returns the JSON of its answer.
    plane: async (method, path, body) => {
      const answer = await fetch(origin + "/_fake/" + path, {method, body: body && JSON.stringify(body)});
      const text = await answer.text();
      return text && JSON.parse(text);
    },
  };
}
