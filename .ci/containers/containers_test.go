// Package containers proves the image and the compose file with a real container
// engine. It is no part of go test ./..., since it needs one; ./engine starts one
// where none runs.
package containers

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
	"gopkg.in/yaml.v3"
)

// docker runs a command of the engine's client, and returns what it prints.
func docker(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("docker", args...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("docker %s: %v\n%s%s", strings.Join(args, " "), err, out, complaint.String())
	}
	return strings.TrimSpace(string(out))
}

// image is what all tests are about. Beside it is one of the app that asks it.
const image = "campaignfake-test"

// top is a folder that has a clone of the repository.
var top string

// TestMain builds the images.
func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	top, err = os.MkdirTemp("", "campaignfake-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(top)
	defer func() { exec.Command("docker", "image", "rm", "--force", image, image+"-app").Run() }()
	if err := build(); err != nil {
		fmt.Fprintf(os.Stderr, "the images cannot be built: %v\n", err)
		return 1
	}
	return m.Run()
}

// build clones the repository, and builds the images.
func build() error {
	clone := filepath.Join(top, "campaignfake")
	if err := process.Clone(clone); err != nil {
		return err
	}
	script := exec.Command("sh", "-ec", `
		docker build --build-arg VERSION=v1.2.3 -t `+image+` "$0"
		mkdir "$1/image"
		CGO_ENABLED=0 go build -o "$1/image/app" ./app
		printf 'FROM scratch\nCOPY app /app\n' >"$1/image/Dockerfile"
		docker build -t `+image+`-app "$1/image"`, clone, top)
	said, err := script.CombinedOutput()
	if err != nil {
		const instead = `Where no container engine runs, start one: eval "$(./engine up)"`
		return fmt.Errorf("%w\n%s\n%s", err, said, instead)
	}
	return nil
}

// A container is one that runs.
type container struct {
	t    *testing.T
	name string
	url  string
}

// start runs the image as carefully as a cluster does: nothing can be written, and no
// capability is left.
func start(t *testing.T, options ...string) *container {
	t.Helper()
	command := []string{
		"run", "--detach", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges",
	}
	command = append(command, options...)
	command = append(command, image)
	c := &container{t: t, name: docker(t, command...)}
	t.Cleanup(func() {
		if t.Failed() {
			out, _ := exec.Command("docker", "logs", c.name).CombinedOutput()
			t.Logf("the container wrote\n%s", out)
		}
		exec.Command("docker", "rm", "--force", "--volumes", c.name).Run()
	})
	address := c.inspect("{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}")
	c.url = "http://" + address + ":8642"
	c.awaitHealthy()
	return c
}

func (c *container) inspect(format string) string {
	c.t.Helper()
	return docker(c.t, "inspect", "--format", format, c.name)
}

// awaitHealthy waits for the engine's own verdict.
func (c *container) awaitHealthy() {
	c.t.Helper()
	for {
		switch state := c.inspect("{{.State.Status}} {{.State.Health.Status}}"); state {
		case "running healthy":
			return
		case "running starting":
		default:
			c.t.Fatalf("the container is %s: %s", state, c.inspect("{{json .State.Health}}"))
		}
	}
}

// send sends a request with a token to the server in the container.
func (c *container) send(method, path, token string) {
	c.t.Helper()
	request, err := http.NewRequest(method, c.url+path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil || response.StatusCode >= 300 {
		c.t.Fatalf("%s %s with %s is answered %s (%v)", method, path, token, response.Status, err)
	}
}

// The commands of the page build the image and start it. It runs as nobody in particular, is not
// larger than the page says, and says what it is.
func TestImage(t *testing.T) {
	t.Parallel()
	const name = image + "-documented"
	here := strings.NewReplacer(
		"--name campaignfake", "--name "+name,
		"-t campaignfake", "-t "+name,
		"8642 campaignfake", "8642 "+name,
		"127.0.0.1:8642:", "127.0.0.1::",
	)
	commands := here.Replace(pages.Example(t, "sh docker"))
	defer exec.Command("docker", "image", "rm", "--force", name).Run()
	defer exec.Command("docker", "rm", "--force", name).Run()
	shell := exec.Command("sh", "-ec", commands)
	shell.Dir = filepath.Join(top, "campaignfake")
	if out, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, commands, out)
	}
	c := &container{t: t, name: name}
	c.awaitHealthy()
	said := docker(t, "logs", name)
	if !strings.HasPrefix(said, "campaignfake v1.2.3 serves ") {
		t.Errorf("the server prints\n%s", said)
	}
	var user string
	var size int
	fmt.Sscan(docker(t, "image", "inspect", "--format", "{{.Config.User}} {{.Size}}", name),
		&user, &size)
	if user != "65532:65532" || size == 0 || size > 14_000_000 {
		t.Errorf("the image of user %q has %d bytes, want at most 14 MB", user, size)
	}
}

// The gallery, a thousand users that are put, and ten thousand other tokens fit into little memory,
// for any user; and whatever clients wait for, the container stops in order.
func TestGalleryInLittleMemory(t *testing.T) {
	t.Parallel()
	c := start(t, "--memory=64m", "--memory-swap=64m", "--user=12345:54321")
	const path = "/api/user/campaigns"
	for range 3 {
		for _, token := range []string{"demo", "many", "huge", "edge-cases", "single"} {
			c.send("GET", path, token)
		}
	}
	for i := range 1000 {
		c.send("PUT", fmt.Sprint("/_fake/users?like=flaky&token=user-", i), "")
	}
	for i := range 10_000 {
		c.send("GET", path, fmt.Sprint("other-", i))
	}
	var waiting sync.WaitGroup
	for range 3 {
		waiting.Go(func() { process.Ask(c.url+"/api", "hang") })
	}
	c.send("GET", "/_fake/requests?token=hang&await=3", "")
	docker(t, "stop", "--time=30", c.name)
	waiting.Wait()
	state := c.inspect("{{.RestartCount}} {{.State.OOMKilled}} {{.State.ExitCode}}")
	if state != "0 false 0" {
		t.Errorf("restarts, out of memory, exit code: %s", state)
	}
}

// A service of a job starts as GitHub starts it: with its variables and ports, and the steps run
// when it is healthy. No network comes or goes meanwhile, which may break connections through a
// published port.
func TestRecipeForWorkflow(t *testing.T) {
	var workflow struct {
		Jobs map[string]struct {
			Services map[string]struct {
				Env   map[string]string
				Ports []string
			}
			Steps []struct {
				Env map[string]string
				Run string
			}
		}
	}
	text := pages.Example(t, "yaml services.yaml")
	if err := yaml.Unmarshal([]byte(text), &workflow); err != nil {
		t.Fatal(err)
	}
	job := workflow.Jobs["test"]
	var options []string
	for name, value := range job.Services["campaigns"].Env {
		options = append(options, "--env="+name+"="+value)
	}
	for _, port := range job.Services["campaigns"].Ports {
		options = append(options, "--publish="+port)
	}
	c := start(t, options...)
	port := docker(t, "port", c.name, "8642/tcp") // 0.0.0.0:49153, and on a further line of IPv6
	port, _, _ = strings.Cut(port, "\n")
	_, port, _ = strings.Cut(port, ":")
	if len(job.Steps) != 1 {
		t.Fatalf("the job has %d steps", len(job.Steps))
	}
	step := job.Steps[0]
	run := func() (string, error) {
		shell := exec.Command("bash", "-e", "-c", step.Run)
		shell.Dir = t.TempDir()
		shell.Env = os.Environ()
		for name, value := range step.Env {
			const expression = "${{ job.services.campaigns.ports['8642'] }}"
			shell.Env = append(shell.Env, name+"="+strings.ReplaceAll(value, expression, port))
		}
		said, err := shell.CombinedOutput()
		return string(said), err
	}
	said, err := run()
	if count := strings.Count(said, `"name":`); err != nil || count != 3 {
		t.Errorf("%s prints %d campaigns: %v\n%s", step.Run, count, err, said)
	}
	process.Ask(c.url, "alice") // which is another path
	if said, err := run(); err == nil || !strings.Contains(said, "no route has this path") {
		t.Errorf("after a request that matched nothing, the job ends with %v\n%s", err, said)
	}
}
