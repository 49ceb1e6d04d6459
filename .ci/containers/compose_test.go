package containers

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

// compose makes a folder with the compose file of the page, for an app that asks for paths. It
// returns a function that runs a script there.
func compose(t *testing.T, paths string, changes ...string) func(script string) (string, error) {
	t.Helper()
	folder, err := os.MkdirTemp(top, "app-*") // which names the project
	if err != nil {
		t.Fatal(err)
	}
	changes = append(changes,
		"image: my-app\n", "image: "+image+"-app\n    command: [/app, "+paths+"]\n")
	file := strings.NewReplacer(changes...).Replace(pages.Example(t, "yaml compose.yaml"))
	process.Write(t, folder, map[string]string{
		"compose.yaml":        file,
		"fixtures/users.yaml": "users: {alice: {campaigns: []}}\n",
	})
	sh := func(script string) (string, error) {
		if exec.Command("docker", "compose", "version").Run() != nil {
			// An older client has a command of its own.
			script = strings.ReplaceAll(script, "docker compose", "docker-compose")
		}
		shell := exec.Command("sh", "-c", script)
		shell.Dir = folder
		out, err := shell.CombinedOutput()
		return string(out), err
	}
	t.Cleanup(func() {
		if out, err := sh("docker compose down --volumes --rmi=local --timeout=5"); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	return sh
}

// The compose file of the page starts an app when the fake is healthy, which finds it by its name.
// The commands of the page fail after a wrong request, also if the app does not.
func TestCompose(t *testing.T) {
	t.Parallel()
	const build = "docker compose build && " // an older client has another builder for run
	for _, kind := range []string{"sh compose", "sh compose run"} {
		commands := pages.Example(t, kind)
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			out, err := compose(t, "/user/campaigns")(build + commands)
			if err != nil || !strings.Contains(out, `/user/campaigns is {"campaigns":[]}`) {
				t.Errorf("the commands end with %v:\n%s", err, out)
			}
		})
		t.Run(kind+", after a wrong request", func(t *testing.T) {
			t.Parallel()
			sh := compose(t, "/campaigns")
			out, err := sh(build + commands)
			if err == nil || !strings.Contains(out, "/campaigns is {") {
				t.Errorf("the commands end with %v:\n%s", err, out)
			}
			log, err := sh("docker compose logs campaigns")
			if err != nil || !strings.Contains(log, "only GET /api/user/campaigns is here") {
				t.Errorf("the log does not say why (%v):\n%s", err, log)
			}
		})
	}
}

// An app with one base URL finds all of its API there, also beside replicas: with the flag that the
// page names, the fake passes on what it does not answer to another container.
func TestComposeWithUpstream(t *testing.T) {
	t.Parallel()
	flag := pages.Code(t, "`(\"--upstream\", \"http://api:8080/v1\")`")
	sh := compose(t, "/profile, /user/campaigns",
		"command: [", "command: ["+flag+", ",
		"  app:\n", "  api: {image: "+image+"-app, command: [/app, serve]}\n  app:\n")
	commands := strings.TrimSpace(pages.Example(t, "sh compose"))
	commands = strings.Replace(commands, "compose up", "compose up --scale campaigns=2", 1)
	out, err := sh(commands + " && docker compose ps -aq campaigns | wc -l")
	for _, want := range []string{
		"/profile is what api:8080 has at /v1/profile\n",
		`/user/campaigns is {"campaigns":[]}` + "\n",
		"\n2\n",
	} {
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("the commands end with %v, and print no %q:\n%s", err, want, out)
		}
	}
}
