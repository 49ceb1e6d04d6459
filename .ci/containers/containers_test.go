// Package containers proves the image and the compose file with a real container
// engine. It is no part of go test ./..., since it needs one; ./engine starts one
// where none runs.
package containers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// build builds an image from a folder, and returns what the builder says.
func build(folder, tag string, args ...string) (said string, err error) {
	cmd := exec.Command("docker", append([]string{"build", "--progress=plain", "-t", tag}, append(args, folder)...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("the image cannot be built: %w\n%s", err, out)
	}
	return string(out), err
}

// image is what all tests are about. It is built from a clone of its own.
const image = "campaignfake-test"

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	fail := func(err error) int {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if out, err := exec.Command("docker", "info").CombinedOutput(); err != nil {
		return fail(fmt.Errorf("no container engine runs, and these tests are about one: %w\n%s\nStart one, as with eval \"$(./engine up)\"", err, out))
	}
	folder, err := os.MkdirTemp("", "campaignfake-*")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(folder)
	if err := process.Clone(folder); err != nil {
		return fail(err)
	}
	if _, err := build(folder, image, "--build-arg", "VERSION=v9.8.7", "--build-arg", "REVISION=0123abc", "--build-arg", "SOURCE=https://git.example.com/campaignfake"); err != nil {
		return fail(err)
	}
	defer func() { exec.Command("docker", "image", "rm", "--force", image).Run() }()
	return m.Run()
}

// A container is one that runs.
type container struct {
	t    *testing.T
	name string
	url  string
}

// start runs the image as carefully as a cluster does: nothing can be written, no
// capability is left, and there is little memory.
func start(t *testing.T, options []string, args ...string) *container {
	t.Helper()
	careful := []string{"--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--memory=32m", "--memory-swap=32m"}
	return startAs(t, slices.Concat(careful, options), args...)
}

// startAs runs the image with these options alone.
func startAs(t *testing.T, options []string, args ...string) *container {
	t.Helper()
	name := docker(t, slices.Concat([]string{"run", "--detach"}, options, []string{image}, args)...)
	t.Cleanup(func() {
		if t.Failed() {
			out, _ := exec.Command("docker", "logs", name).CombinedOutput()
			t.Logf("the container wrote\n%s", out)
		}
		exec.Command("docker", "rm", "--force", name).Run()
	})
	c := &container{t: t, name: name}
	address := c.inspect("{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}")
	c.url = "http://" + address + ":8642"
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

// The gallery fits into little memory, for any user.
func TestGalleryInLittleMemory(t *testing.T) {
	for name, options := range map[string][]string{"as it is": nil, "as another user": {"--user=12345:54321"}} {
		t.Run(name, func(t *testing.T) {
			c := start(t, options)
			c.awaitHealthy()
			for round := range 3 {
				for _, token := range []string{"demo", "empty", "single", "many", "huge", "edge-cases", "flaky", "expired", "server-error", "any-other"} {
					if _, body := c.get(token); len(body) == 0 {
						t.Errorf("in round %d, %s is answered nothing", round, token)
					}
				}
			}
			if restarts := c.inspect("{{.RestartCount}} {{.State.OOMKilled}} {{.State.Running}}"); restarts != "0 false true" {
				t.Errorf("restarts, out of memory, running: %s", restarts)
			}
		})
	}
}

// Whatever clients wait for, the container stops at once, and in order.
func TestStop(t *testing.T) {
	c := start(t, nil)
	c.awaitHealthy()
	var waiting sync.WaitGroup
	for _, token := range []string{"hang", "stall", "hang", "slow"} {
		r, err := http.NewRequest("GET", c.url+"/api/user/campaigns", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		waiting.Go(func() {
			response, err := http.DefaultTransport.RoundTrip(r)
			if err == nil {
				io.Copy(io.Discard, response.Body)
				response.Body.Close()
			}
		})
	}
	for arrived := 0; arrived < 4; {
		_, said := c.ask("GET", "/_fake/requests", "")
		var list struct{ Requests []struct{} }
		if err := json.Unmarshal([]byte(said), &list); err != nil {
			t.Fatal(err)
		}
		arrived = len(list.Requests)
	}
	begin := time.Now()
	docker(t, "stop", "--time=30", c.name)
	t.Logf("stopped after %s", time.Since(begin).Round(10*time.Millisecond))
	waiting.Wait()
	if code := c.inspect("{{.State.ExitCode}}"); code != "0" {
		t.Errorf("the exit code is %s", code)
	}
}

// However the server is called, the engine finds it healthy, and commands that are
// run in its container find it, too.
func TestFlags(t *testing.T) {
	for name, args := range map[string][]string{
		"another port":                   {"serve", "--listen", "0.0.0.0:80"},
		"TLS":                            {"--quiet", "--tls-self-signed=campaigns"},
		"no control plane, another port": {"--control=off", "--listen", ":9000", "--", "/fixtures"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, "a.yaml"), []byte("users: {demo: {}}"), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			c := start(t, []string{"--user=4242:4242", "--volume=" + folder + ":/fixtures:ro"}, args...)
			c.awaitHealthy()
			if slices.Contains(args, "--control=off") {
				return
			}
			docker(t, "exec", c.name, "/campaignfake", "requests") // fails unless it finds the server
		})
	}
}

// An empty variable, as compose files make of what they were not given, is none.
func TestEmptyVariable(t *testing.T) {
	c := start(t, []string{"--env=CAMPAIGNFAKE_LISTEN="})
	c.awaitHealthy()
	if status, _ := c.get("demo"); status != 200 {
		t.Errorf("the status is %d", status)
	}
}

// A certificate is written to a volume that nobody has prepared, by any user.
func TestCertificateInAVolume(t *testing.T) {
	for _, user := range []string{"65532:65532", "4242:4242"} {
		volume := docker(t, "volume", "create")
		t.Cleanup(func() { exec.Command("docker", "volume", "rm", volume).Run() })
		c := start(t, []string{"--user=" + user, "--volume=" + volume + ":/tls"}, "--tls-self-signed=campaigns", "--tls-cert=/tls/ca.pem")
		t.Cleanup(func() { exec.Command("docker", "rm", "--force", c.name).Run() }) // before its volume
		c.awaitHealthy()
		copied := filepath.Join(t.TempDir(), "ca.pem")
		docker(t, "cp", c.name+":/tls/ca.pem", copied)
		if text, err := os.ReadFile(copied); err != nil || !strings.Contains(string(text), "BEGIN CERTIFICATE") {
			t.Errorf("the certificate is %.40q, %v", text, err)
		}
		if banner := docker(t, "logs", c.name); !strings.Contains(banner, "base URL  https://campaigns:8642/api") || !strings.Contains(banner, "curl --cacert '/tls/ca.pem' ") {
			t.Errorf("the start says\n%s", banner)
		}
	}
}

// Fixtures that are mounted take effect when they change, as a ConfigMap's do.
func TestMountedFixtures(t *testing.T) {
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	version := 0
	publish := func(text string) {
		t.Helper()
		version++
		data := fmt.Sprintf("..%d", version)
		next := filepath.Join(folder, "..next")
		for _, err := range []error{
			os.Mkdir(filepath.Join(folder, data), 0o755),
			os.WriteFile(filepath.Join(folder, data, "users.yaml"), []byte(text), 0o644),
			os.Symlink(data, next),
			os.Rename(next, filepath.Join(folder, "..data")),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	publish("users: {alice: {}}\n")
	if err := os.Symlink("..data/users.yaml", filepath.Join(folder, "users.yaml")); err != nil {
		t.Fatal(err)
	}
	c := start(t, []string{"--volume=" + folder + ":/fixtures:ro"}, "--unknown-tokens=reject", "/fixtures")
	c.awaitHealthy()
	if status, _ := c.get("bob"); status != 401 {
		t.Errorf("bob is answered %d", status)
	}
	publish("users: {alice: {}, bob: {}}\n")
	for status := 0; status != 200; status, _ = c.get("bob") {
	}
	publish("users: {alice: {}, bob: 7}\n")
	for health := ""; !strings.Contains(health, "/fixtures/users.yaml:1:25") && !t.Failed(); _, health = c.ask("GET", "/_fake/health", "") {
	}
	if status, _ := c.get("bob"); status != 200 {
		t.Errorf("after a bad edit, bob is answered %d", status)
	}
	if status := c.inspect("{{.State.Health.Status}}"); status != "healthy" {
		t.Errorf("after a bad edit, the container is %s", status)
	}
}

// The commands that the page of the command shows build the image and start it.
func TestDockerCommands(t *testing.T) {
	name := fmt.Sprint(image, "-documented-", os.Getpid())
	folder := t.TempDir()
	if err := process.Clone(folder); err != nil {
		t.Fatal(err)
	}
	commands := strings.NewReplacer("--name campaignfake", "--name "+name, "-t campaignfake", "-t "+name,
		"8642 campaignfake", "8642 "+name, "127.0.0.1:8642:", "127.0.0.1::").Replace(pages.Example(t, "cmd/campaignfake/README.md", "sh docker"))
	defer exec.Command("docker", "image", "rm", "--force", name).Run()
	defer exec.Command("docker", "rm", "--force", name).Run()
	shell := exec.Command("sh", "-ec", commands)
	shell.Dir = folder
	if out, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, commands, out)
	}
	if said := docker(t, "exec", name, "/campaignfake", "--version"); !strings.Contains(said, "v1.2.3") {
		t.Errorf("its version is %s", said)
	}
}

// askingApp is an app that asks a URL, and fails unless it is answered the status.
const askingApp = `package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	request, _ := http.NewRequest("GET", os.Args[1], nil)
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
	if err := os.Chmod(top, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := process.Clone(filepath.Join(top, "campaignfake")); err != nil {
		t.Fatal(err)
	}
	app := filepath.Join(top, "app")
	for _, folder := range []string{"fixtures", "image"} {
		if err := os.MkdirAll(filepath.Join(app, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	compose := pages.Example(t, "README.md", "yaml compose.yaml")
	for name, text := range map[string]string{
		"compose.yaml":        compose,
		"fixtures/users.yaml": "users: {alice: {campaigns: []}}\n",
		"image/Dockerfile":    "FROM golang:1.26\nCOPY app /app\nCMD [\"/bin/sh\", \"-c\", \"exec /app $CAMPAIGNS_BASE_URL/user/campaigns 200\"]\n",
		"app.go":              askingApp,
	} {
		if err := os.WriteFile(filepath.Join(app, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	compile := exec.Command("go", "build", "-o", filepath.Join(app, "image/app"), filepath.Join(app, "app.go"))
	compile.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	defer exec.Command("docker", "image", "rm", "--force", "my-app").Run()
	if _, err := build(filepath.Join(app, "image"), "my-app"); err != nil {
		t.Fatal(err)
	}
	project := fmt.Sprint(image, "-compose-", os.Getpid())
	sh := func(script string) (string, error) {
		if exec.Command("docker", "compose", "version").Run() != nil { // an older client has a command of its own
			script = strings.ReplaceAll(script, "docker compose", "docker-compose")
		}
		shell := exec.Command("sh", "-c", script)
		shell.Dir, shell.Env = app, append(os.Environ(), "COMPOSE_PROJECT_NAME="+project)
		out, err := shell.CombinedOutput()
		return string(out), err
	}
	defer sh("docker compose down --volumes --rmi=local --timeout=5")
	commands := pages.Example(t, "README.md", "sh compose")
	if out, err := sh(commands); err != nil || !strings.Contains(out, "answered 200") {
		t.Errorf("the app ends with %v:\n%s", err, out)
	}

	wrong := strings.NewReplacer(`command: [`, `command: ["--strict", `,
		"image: my-app\n", "image: my-app\n    command: [/app, \"http://campaigns:8642/api/campaigns\", \"404\"]\n").Replace(compose)
	if err := os.WriteFile(filepath.Join(app, "compose.yaml"), []byte(wrong), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := sh("docker compose down"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := sh(commands); err == nil || !strings.Contains(out, "only GET /api/user/campaigns is here") {
		t.Errorf("an app that asks for a wrong path does not fail the pipeline: %v\n%s", err, out)
	}
	if out, err := sh("docker inspect --format '{{.State.ExitCode}}' $(docker compose ps -aq campaigns)"); err != nil || out != "3\n" {
		t.Errorf("the server ends with %q, %v", out, err)
	}
}

// A service of a job starts as GitHub starts it: with its variables and ports, and the
// steps run when it is healthy. Its variables are handed on by name, since a value may
// have many lines.
func TestRecipeForWorkflow(t *testing.T) {
	var workflow struct {
		Jobs map[string]struct {
			Services map[string]struct {
				Env     map[string]string
				Ports   []string
				Options string
			}
			Steps []struct{ Run string }
		}
	}
	if err := yaml.Unmarshal([]byte(pages.Example(t, "cmd/campaignfake/README.md", "yaml services.yaml")), &workflow); err != nil {
		t.Fatal(err)
	}
	job := workflow.Jobs["test"]
	service := job.Services["campaigns"]
	options := strings.Fields(service.Options)
	for name, value := range service.Env {
		t.Setenv(name, value)
		options = append(options, "--env="+name)
	}
	for _, port := range service.Ports {
		options = append(options, "--publish="+port)
	}
	c := startAs(t, options)
	c.awaitHealthy()
	if len(job.Steps) == 0 {
		t.Error("the job has no steps")
	}
	for _, step := range job.Steps {
		out, err := exec.Command("sh", "-ec", step.Run).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", step.Run, err, out)
		}
		if count := strings.Count(string(out), `"id":`); count != 3 {
			t.Errorf("%s prints %d campaigns: %s", step.Run, count, out)
		}
	}
}
