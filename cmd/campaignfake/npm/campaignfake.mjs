#!/usr/bin/env node
// Runs the binary for this platform. The binary has the streams, gets the signals, and
// decides how the launcher ends. A release adds the binaries: .ci/release.
import {spawn} from "node:child_process";
import {existsSync, readdirSync} from "node:fs";
import {fileURLToPath} from "node:url";

const platform = `${process.platform}-${process.arch}`;
const onWindows = process.platform === "win32";
const binaries = fileURLToPath(new URL("bin/", import.meta.url));
const binary = `${binaries}${platform}/campaignfake${onWindows ? ".exe" : ""}`;

if (existsSync(binary)) {
  run();
} else {
  const others = existsSync(binaries) ? `, only for ${readdirSync(binaries).join(", ")}` : "";
  fail(`this package has no binary for ${platform}${others}; build one with Go, from a clone of the repository`);
}

function run() {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // On Windows the console tells the binary, too, and kill would not let it finish.
    process.on(signal, () => onWindows || child.kill(signal));
  }
  const child = spawn(binary, process.argv.slice(2), {stdio: "inherit"});
  child.on("error", (error) => fail(`the binary cannot be started (${error.message}); install the package again`));
  child.on("exit", (status, signal) => {
    process.exitCode = status ?? 1;
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}

function fail(problem) {
  console.error(`campaignfake: ${problem}`);
  process.exitCode = 1;
}
