// The server that a test has to itself.
import {spawn} from "node:child_process";
import {createInterface} from "node:readline";

// serve starts the command with some arguments, on a port of its own unless they
// say which, and stops it when the test ends.
export async function serve(t, ...args) {
  if (!args.includes("--listen")) args.unshift("--listen", "127.0.0.1:0");
  const child = spawn(process.env.CAMPAIGNFAKE, args, {stdio: ["ignore", "pipe", "pipe"]});
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const stop = () => {
    child.kill("SIGINT");
    return ended;
  };
  // Whoever looks at it leaves before, or would see it go away.
  const leave = [];
  t.after(async () => {
    try {
      for (const left of leave) await left();
    } finally {
      await stop();
    }
  });

  const base = await baseURL(child, ended, args);
  const {origin, host} = new URL(base);
  return {
    base,
    origin,
    host,
    stop,
    leave,
    page: origin + "/_fake/",

    // ask sends what an app would send.
    ask(token, headers, signal) {
      const all = {Authorization: "Bearer " + token, ...headers};
      return fetch(base + "/user/campaigns", {headers: all, signal});
    },

    // plane sends a request to the control plane, and returns the JSON of its answer.
    async plane(method, path, body) {
      const text = body && JSON.stringify(body);
      const answer = await fetch(origin + "/_fake/" + path, {method, body: text});
      const json = await answer.text();
      return json && JSON.parse(json);
    },
  };
}

// baseURL waits for the line in which the command says its base URL.
function baseURL(child, ended, args) {
  return new Promise((resolve, reject) => {
    let said = "";
    const read = (line) => {
      said += line + "\n";
      const found = /^ +base URL +(\S+)$/.exec(line);
      if (found) resolve(found[1]);
    };
    createInterface({input: child.stdout}).on("line", read);
    createInterface({input: child.stderr}).on("line", read);
    ended.then(() => {
      reject(new Error(`the server does not start with ${args.join(" ")}:\n${said}`));
    });
  });
}

// readable is all that can be read of a server that has an origin, from outside of a browser.
export async function readable(origin) {
  const paths = ["users", "users?token=demo", "replies?token=demo", "requests"];
  const answers = await Promise.all(paths.map((path) => fetch(origin + "/_fake/" + path)));
  return Promise.all(answers.map((answer) => answer.json()));
}
