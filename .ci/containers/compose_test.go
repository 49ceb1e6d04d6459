package containers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

// askingApp is an app that asks for a path, and fails unless it is answered the status.
const askingApp = `package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	request, _ := http.NewRequest("GET", os.Getenv("API_URL")+os.Args[1], nil)
	request.Header.Set("Authorization", "Bearer alice")
	response, err := http.DefaultClient.Do(request)
	if err != nil || fmt.Sprint(response.StatusCode) != os.Args[2] {
		panic(fmt.Sprint(response, err))
	}
	fmt.Println("answered", response.StatusCode)
}
`

// The README's compose file starts an app when the fake is healthy, which finds it
// by its name; and its commands end with the status of the app, and of the fake.
func TestCompose(t *testing.T) {
	top := t.TempDir()
	app := filepath.Join(top, "app")
	compose := pages.Example(t, "yaml compose.yaml")
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(app, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("compose.yaml", compose)
	write("fixtures/users.yaml", "users: {alice: {campaigns: []}}\n")
	write("image/main.go", askingApp)
	write("image/Dockerfile", `FROM golang:1.26
COPY app /app
CMD ["/app", "/user/campaigns", "200"]
`)
	if err := process.Clone(filepath.Join(top, "campaignfake")); err != nil {
		t.Fatal(err)
	}
	sh := func(script string) (string, error) {
		if exec.Command("docker", "compose", "version").Run() != nil {
			// An older client has a command of its own.
			script = strings.ReplaceAll(script, "docker compose", "docker-compose")
		}
		project := fmt.Sprintf("%s-compose-%d", image, os.Getpid())
		shell := exec.Command("sh", "-c", script)
		shell.Dir = app
		shell.Env = append(os.Environ(), "COMPOSE_PROJECT_NAME="+project)
		out, err := shell.CombinedOutput()
		return string(out), err
	}
	out, err := sh("CGO_ENABLED=0 go build -o image/app image/main.go && docker build -t " +
		"my-app image")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	defer sh("docker compose down --volumes --rmi=local --timeout=5; " +
		"docker image rm --force my-app")
	commands := pages.Example(t, "sh compose")
	if out, err := sh(commands); err != nil || !strings.Contains(out, "answered 200") {
		t.Errorf("the app ends with %v:\n%s", err, out)
	}

	alone := pages.Example(t, "sh compose run")
	if out, err := sh("docker compose down && " + alone); err != nil {
		t.Errorf("the app alone ends with %v:\n%s", err, out)
	}
	two := strings.Replace(commands, "compose up", "compose up --scale campaigns=2", 1)
	out, err = sh(strings.TrimSpace(two) + " && docker compose ps -aq campaigns | wc -l")
	if err != nil || !strings.HasSuffix(out, "\n2\n") {
		t.Errorf("beside two servers the app ends with %v:\n%s", err, out)
	}

	write("compose.yaml", strings.ReplaceAll(compose, "image: my-app\n",
		"image: my-app\n    command: [/app, /campaigns, \"404\"]\n"))
	for kind, script := range map[string]string{"up": commands, "run": alone} {
		if out, err := sh("docker compose down"); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		out, err := sh(script)
		if err == nil {
			t.Errorf("%s: an app that asks for a wrong path does not fail the pipeline:\n%s",
				kind, out)
		}
		out, err = sh("docker compose logs campaigns; docker inspect --format " +
			"'status {{.State.ExitCode}}' $(docker compose ps -aq campaigns)")
		isTold := strings.Contains(out, "only GET /api/user/campaigns is here")
		if err != nil || !isTold || !strings.HasSuffix(out, "status 3\n") {
			t.Errorf("%s: the server ends with %q, %v", kind, out, err)
		}
	}
}
