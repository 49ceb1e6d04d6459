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

// It is for a package that was installed from a clone, and for platforms without a binary.
const instead = `start the server by its image:
  docker build -t campaignfake ../campaignfake
  docker run --rm -p 127.0.0.1:8642:8642 campaignfake
or with Go, from the folder of your app:
  test -e go.mod || go mod init app
  go mod edit -replace example.com/campaignfake=../campaignfake -tool example.com/campaignfake/cmd/campaignfake
  go mod tidy
  go tool campaignfake
where ../campaignfake is your clone of the repository.`;

if (existsSync(binary)) {
  run();
} else {
  const others = existsSync(binaries) ? `, only for ${readdirSync(binaries).join(", ")}` : "";
  fail(`this package has no binary for ${platform}${others}; ${instead}`);
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
