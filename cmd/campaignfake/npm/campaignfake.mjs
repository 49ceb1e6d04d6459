#!/usr/bin/env node
// This launcher starts the binary for this platform. The binary inherits the standard streams. The
// launcher passes its signals on to the binary, and ends with the same exit status or signal. The
// script .ci/release adds the binaries to the package.
import {spawn} from "node:child_process";
import {existsSync, readdirSync} from "node:fs";
import {fileURLToPath} from "node:url";

const platform = `${process.platform}-${process.arch}`;
const onWindows = process.platform === "win32";
const binaries = fileURLToPath(new URL("bin/", import.meta.url));
const binary = `${binaries}${platform}/campaignfake${onWindows ? ".exe" : ""}`;

// Advice if the package has no binary for this platform. A package that was installed from a clone
// has no binaries at all.
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

// otherPlatforms returns the part of the error message that lists the platforms for which the
// package has binaries. It returns "" if the package has no binaries.
function otherPlatforms() {
  if (!existsSync(binaries)) return "";
  return `, only for ${readdirSync(binaries).join(", ")}`;
}

// run starts the binary, and passes the signals of the launcher on to it. On Windows it passes
// nothing on: the console itself tells the binary of Ctrl-C, and kill would end the binary at once.
function run() {
  // The listeners are added before the binary starts. Otherwise an early signal could end the
  // launcher, and leave the binary running.
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
