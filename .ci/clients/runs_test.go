package clients

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"example.com/campaignfake/ci/process"
)

// againAndAgain is a test whose first attempt leaves a reply unplayed, and asks for what the
// service does not have.
const againAndAgain = asks + `
test("flaky", async ({ campaigns }, { retry }) => {
  const flaky = campaigns.like("flaky");
  await campaigns.reply({ status: 418, times: 2 });
  expect([await ask(campaigns.token), await ask(flaky.token)]).toEqual([418, 503]);
  const path = retry ? "/api/user/campaigns" : "/api/users/campaigns";
  expect(await ask(campaigns.token, path)).toBe(418);
});
`

// A test that is repeated, and tried again, passes each time at the second attempt.
func TestPlaywrightAgainAndAgain(t *testing.T) {
	t.Parallel()
	server := process.Start(t)
	folder := appWith(t, server, map[string]string{
		"playwright.config.ts": withoutApp,
		"campaigns.spec.ts":    againAndAgain,
	})
	out, err := endToEnd(t, folder, "--retries=1", "--repeat-each=2")
	if err != nil || !strings.Contains(out, "\n  2 flaky\n") {
		t.Errorf("%v\n%s", err, out)
	}
	checkNothingLeft(t, server)
}

// sameTime is a test that two runs have in the middle at the same time. The run b fails by itself,
// while a still runs.
const sameTime = asks + `
const run = process.env.RUN;
const arrived = async (token: string) => {
  const answer = await fetch("SERVER/_fake/requests?await=1&within=60s&token=" + token);
  expect(answer.status).toBe(200);
};
test("same time", async ({ campaigns }) => {
  test.setTimeout(120_000);
  const status = run === "a" ? 418 : 503;
  await campaigns.reply({ status, times: 2 });
  expect(await ask(campaigns.token)).toBe(status);
  await ask("middle-of-" + run);
  await arrived(run === "a" ? "middle-of-b" : "middle-of-a");
  expect(await ask(campaigns.token)).toBe(status);
  if (run === "b") {
    await ask(campaigns.token, "/api/users/campaigns");
    await ask("b-was-wrong");
    await arrived("end-of-a");
  } else {
    await arrived("b-was-wrong");
  }
  expect(await campaigns.requests()).toHaveLength(run === "a" ? 2 : 3);
});
`

// Two runs of the same test at a time, as in two terminals, have tokens of their own, and a wrong
// request of one fails that one alone.
func TestPlaywrightTwiceAtATime(t *testing.T) {
	t.Parallel()
	server := process.Start(t)
	folder := appWith(t, server, map[string]string{
		"playwright.config.ts": withoutApp,
		"campaigns.spec.ts":    sameTime,
	})
	b := startRun(t, folder, "b")
	a := startRun(t, folder, "a")
	if err := a.Wait(); err != nil {
		t.Errorf("the run that is right fails: %v\n%s", err, a.Stdout)
	}
	if _, _, err := process.Ask(server.BaseURL, "end-of-a"); err != nil {
		t.Fatal(err)
	}
	err := b.Wait()
	out := b.Stdout.(*bytes.Buffer).String()
	const own = "matched nothing:\n      GET /api/users/campaigns: 404"
	if err == nil || !strings.Contains(out, "1 failed") || !strings.Contains(out, own) {
		t.Errorf("the run that is wrong: %v\n%s", err, out)
	}
}

// startRun starts a run of the end-to-end tests in a folder, with a name in the variable RUN.
func startRun(t *testing.T, folder, name string) *exec.Cmd {
	t.Helper()
	run := playwrightIn(t, folder, "--output=results-"+name)
	run.Env = append(run.Env, "RUN="+name)
	out := new(bytes.Buffer)
	run.Stdout = out
	run.Stderr = out
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	return run
}
