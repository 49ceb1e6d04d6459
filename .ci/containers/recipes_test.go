package containers

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"example.com/campaignfake/ci/pages"
)

// recipe returns an example of the page of the command.
func recipe(t *testing.T, kind string) string {
	t.Helper()
	return pages.Example(t, "cmd/campaignfake/README.md", kind)
}

// parse reads a recipe in YAML.
func parse(t *testing.T, kind string, into any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(recipe(t, kind)), into); err != nil {
		t.Fatal(err)
	}
}

// writeTest writes a recipe for Testcontainers into a file, with the image of these tests.
func writeTest(t *testing.T, folder, kind, name string) {
	t.Helper()
	text := strings.Replace(recipe(t, kind), `"campaignfake"`, `"`+image+`"`, 1)
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// runTest runs a command that uses Testcontainers, and returns what it prints. Ryuk, the
// helper that removes containers later, would have to be pulled, so the test has to remove
// its container itself. Ports are published on this machine, which Testcontainers
// does not find by itself if it runs in a container, too. It has a folder of its own for
// temporary files, since Testcontainers for Node leaves a lock file in it.
func runTest(t *testing.T, folder string, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "TESTCONTAINERS_RYUK_DISABLED=true", "TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1", "TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	left := strings.Fields(docker(t, "ps", "--all", "--quiet", "--filter=ancestor="+image))
	for _, name := range left {
		docker(t, "rm", "--force", name)
	}
	if err != nil || len(left) > 0 {
		t.Fatalf("%s: %v; it left %d containers\n%s", strings.Join(command, " "), err, len(left), out)
	}
	return string(out)
}

// Testcontainers for Node starts the image, and finds it healthy.
func TestRecipeForNode(t *testing.T) {
	folder := t.TempDir()
	modules, err := filepath.Abs("node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	const name = "testcontainers.test.mjs"
	writeTest(t, folder, "js testcontainers.test.mjs", name)
	if out := runTest(t, folder, "node", "--test", "--test-reporter=spec", name); !strings.Contains(out, "\nℹ pass 1\n") {
		t.Errorf("the test has not run:\n%s", out)
	}
}

// Testcontainers for Go starts the image, and finds it healthy. What it requires stays in a
// module of its own.
func TestRecipeForGo(t *testing.T) {
	folder := t.TempDir()
	writeTest(t, folder, "go testcontainers_test.go", "testcontainers_test.go")
	const module, version = "github.com/testcontainers/testcontainers-go", "@v0.45.0"
	runTest(t, folder, "go", "mod", "init", "app")
	runTest(t, folder, "go", "get", module+version, module+"/wait"+version)
	if out := runTest(t, folder, "go", "test", "-count=1", "-v", "."); !strings.Contains(out, "--- PASS: TestCampaigns ") {
		t.Errorf("the test has not run:\n%s", out)
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
	parse(t, "yaml services.yaml", &workflow)
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
		hasThreeCampaigns(t, string(out))
	}
}

// A Deployment's container runs with as little as it is given, and its probes, which ask
// by the address of the pod, are answered 200.
func TestRecipeForKubernetes(t *testing.T) {
	type probe struct {
		HTTPGet struct {
			Path string
			Port int
		} `yaml:"httpGet"`
	}
	var deployment struct {
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct {
						Env            []struct{ Name, Value string }
						ReadinessProbe probe `yaml:"readinessProbe"`
						LivenessProbe  probe `yaml:"livenessProbe"`
						Resources      struct{ Limits struct{ Memory string } }
					}
				}
			}
		}
	}
	parse(t, "yaml deployment.yaml", &deployment)
	pod := deployment.Spec.Template.Spec.Containers[0]
	memory := strings.ToLower(strings.TrimSuffix(pod.Resources.Limits.Memory, "i"))
	options := []string{"--memory=" + memory, "--memory-swap=" + memory}
	for _, variable := range pod.Env {
		options = append(options, "--env="+variable.Name+"="+variable.Value)
	}
	c := start(t, options)
	c.awaitHealthy()
	for name, probe := range map[string]probe{"readiness": pod.ReadinessProbe, "liveness": pod.LivenessProbe} {
		url := fmt.Sprintf("%s:%d%s", strings.TrimSuffix(c.url, ":8642"), probe.HTTPGet.Port, probe.HTTPGet.Path)
		response, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != 200 {
			t.Errorf("the probe of %s asks %s, and is answered %s", name, url, response.Status)
		}
	}
	_, body := c.get("alice")
	hasThreeCampaigns(t, body)
}

// hasThreeCampaigns checks an answer to alice, whose campaigns the recipes generate.
func hasThreeCampaigns(t *testing.T, body string) {
	t.Helper()
	if count := strings.Count(body, `"id":`); count != 3 {
		t.Errorf("alice has %d campaigns: %s", count, body)
	}
}
