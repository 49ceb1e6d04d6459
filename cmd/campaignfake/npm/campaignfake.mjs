#!/usr/bin/env node
// The launcher runs the binary for this platform. The binary has the streams, gets the signals, and
// decides how the launcher ends. A release adds the binaries: .ci/release.
import {spawn} from "node:child_process";
import {existsSync, readdirSync} from "node:fs";
import {fileURLToPath} from "node:url";

const platform = `${process.platform}-${process.arch}`;
const onWindows = process.platform === "win32";
const binaries = fileURLToPath(new URL("bin/", import.meta.url));
const binary = `${binaries}${platform}/campaignfake${onWindows ? ".exe" : ""}`;

// Advice for a package without a binary for this platform. A package that was installed from a clone
// has none at all.
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
  fail(`this package has no binary for ${platform}${otherPlatforms()}; ${instead}`);
}

// otherPlatforms names the platforms for which there are binaries, if there are any.
function otherPlatforms() {
  if (!existsSync(binaries)) return "";
  return `, only for ${readdirSync(binaries).join(", ")}`;
}

// run runs the binary, which gets the signals of the launcher. On Windows the console tells the
// binary, too, and kill would not let it finish.
function run() {
  // The listeners come first, so that no signal ends the launcher alone.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      if (!onWindows) child.kill(signal);
    });
  }
  const child = spawn(binary, process.argv.slice(2), {stdio: "inherit"});
  child.on("error", (error) => {
    fail(`the binary cannot be started (${error.message}); install the package again`);
  });
  child.on("exit", (status, signal) => {
    process.exitCode = status ?? 1;
    if (signal) endBy(signal);
  });
}

// endBy ends the launcher by the signal that has ended the binary.
function endBy(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

function fail(problem) {
  console.error(`campaignfake: ${problem}`);
  process.exitCode = 1;
}
