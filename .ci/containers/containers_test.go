// Package containers proves the image and the compose file with a real container
// engine. It is no part of go test ./..., since it needs one; ./engine starts one
// where none runs.
package containers

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

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

// image is what all tests are about.
const image = "campaignfake-test"

// TestMain builds the image as the page of the command does, of a clone.
func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "campaignfake-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	defer func() { exec.Command("docker", "image", "rm", "--force", image).Run() }()
	if err := build(folder); err != nil {
		fmt.Fprintf(os.Stderr, "the image cannot be built: %v\n", err)
		return 1
	}
	return m.Run()
}

// build clones the repository into a folder, and builds the image there.
func build(folder string) error {
	if err := process.Clone(folder); err != nil {
		return err
	}
	docker := exec.Command("docker", "build", "--build-arg", "VERSION=v1.2.3", "-t", image, folder)
	said, err := docker.CombinedOutput()
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
func start(t *testing.T, options []string, args ...string) *container {
	t.Helper()
	command := []string{
		"run", "--detach", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges",
	}
	command = append(command, options...)
	command = append(command, image)
	command = append(command, args...)
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

// awaitHealthy waits for the engine's own verdict, and says how long it took.
func (c *container) awaitHealthy() {
	c.t.Helper()
	begin := time.Now()
	for {
		switch state := c.inspect("{{.State.Status}} {{.State.Health.Status}}"); state {
		case "running healthy":
			c.t.Logf("healthy after %s", time.Since(begin).Round(10*time.Millisecond))
			return
		case "running starting":
		default:
			c.t.Fatalf("the container is %s: %s", state, c.inspect("{{json .State.Health}}"))
		}
	}
}

// get asks for the campaigns of a token.
func (c *container) get(token string) (status int, body string) {
	c.t.Helper()
	status, body, err := process.Ask(c.url+"/api", token)
	if err != nil {
		c.t.Fatal(err)
	}
	return status, body
}

// put gives a token a copy of the user flaky.
func (c *container) put(token string) {
	c.t.Helper()
	request, err := http.NewRequest("PUT", c.url+"/_fake/users?like=flaky&token="+token, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		c.t.Fatalf("a user is put with %s", response.Status)
	}
}

// awaitRequests waits until requests of a token have arrived.
func (c *container) awaitRequests(token string, count int) {
	c.t.Helper()
	url := fmt.Sprintf("%s/_fake/requests?token=%s&await=%d", c.url, token, count)
	answer, err := http.Get(url)
	if err != nil {
		c.t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		c.t.Fatalf("%s is answered %s", url, answer.Status)
	}
}

// The commands of the page build the image and start it. It runs as nobody in particular, is not
// larger than the page says, and says what it is in its first line.
func TestImage(t *testing.T) {
	name := fmt.Sprint(image, "-documented-", os.Getpid())
	folder := t.TempDir()
	if err := process.Clone(folder); err != nil {
		t.Fatal(err)
	}
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
	shell.Dir = folder
	if out, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, commands, out)
	}
	(&container{t: t, name: name}).awaitHealthy()
	if said := docker(t, "logs", name); !strings.HasPrefix(said, "campaignfake v1.2.3 serves ") {
		t.Errorf("the server prints first\n%s", said)
	}
	said := docker(t, "image", "inspect", "--format", "{{.Config.User}} {{.Size}}", image)
	user, size, _ := strings.Cut(said, " ")
	bytes, err := strconv.Atoi(size)
	if err != nil || user != "65532:65532" || bytes > 14_000_000 {
		t.Errorf("the image of user %s has %s bytes, want at most 14 MB", user, size)
	}
}

// The banner has the address at which other containers, and the machine around, find the server.
func TestBanner(t *testing.T) {
	c := start(t, nil)
	said := docker(t, "logs", c.name)
	if !strings.Contains(said, "  base URL  "+c.url+"/api\n") ||
		strings.Contains(said, "127.0.0.1") {
		t.Errorf("the server prints\n%s", said)
	}
}

// A server does not start if a disk takes no ready-file, and says why.
func TestReadyFileOfADisk(t *testing.T) {
	const variable = "CAMPAIGNFAKE_READY_FILE"
	tests := map[string]struct{ option, file, want string }{
		"read-only": {
			option: "--read-only",
			file:   "/server.json",
			want:   "read-only file system",
		},
		"full": {
			option: "--tmpfs=/ready:mode=1777,nr_inodes=1", // which the folder itself takes
			file:   "/ready/server.json",
			want:   "no space left on device",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			run := exec.Command("docker", "run", "--rm", tt.option, "--env="+variable+"="+tt.file,
				image)
			said, _ := run.CombinedOutput()
			isTold := strings.Contains(string(said), variable+": ") &&
				strings.Contains(string(said), tt.want)
			if run.ProcessState.ExitCode() != 1 || !isTold {
				t.Errorf("the server ends with %v:\n%s", run.ProcessState, said)
			}
		})
	}
}

// The gallery, a thousand users that are put, and ten thousand other tokens fit into little memory,
// for any user; and whatever clients wait for, the container stops at once, and in order.
func TestGalleryInLittleMemory(t *testing.T) {
	c := start(t, []string{"--memory=64m", "--memory-swap=64m", "--user=12345:54321"})
	for range 3 {
		for _, token := range []string{"demo", "many", "huge", "edge-cases", "flaky", "any-other"} {
			if _, body := c.get(token); len(body) == 0 {
				t.Errorf("%s is answered nothing", token)
			}
		}
	}
	for i := range 1000 {
		c.put(fmt.Sprint("user-", i))
	}
	for i := range 10_000 {
		c.get(fmt.Sprint("other-", i))
	}
	state := c.inspect("{{.RestartCount}} {{.State.OOMKilled}} {{.State.Running}}")
	if state != "0 false true" {
		t.Errorf("restarts, out of memory, running: %s", state)
	}
	var waiting sync.WaitGroup
	for range 3 {
		waiting.Go(func() { process.Ask(c.url+"/api", "hang") })
	}
	c.awaitRequests("hang", 3)
	docker(t, "stop", "--time=30", c.name)
	waiting.Wait()
	if code := c.inspect("{{.State.ExitCode}}"); code != "0" {
		t.Errorf("the exit code is %s", code)
	}
}

// A service of a job starts as GitHub starts it: with its variables and ports, and the
// steps run when it is healthy. Its variables are handed on by name, since a value may
// have many lines.
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
		t.Setenv(name, value)
		options = append(options, "--env="+name)
	}
	for _, port := range job.Services["campaigns"].Ports {
		options = append(options, "--publish="+port)
	}
	c := start(t, options)
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
