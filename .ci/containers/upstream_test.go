package containers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

// appAndAPI is an app that asks for campaigns and for a profile at one base URL, and with an
// argument the API that has the profile.
const appAndAPI = `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

func main() {
	if len(os.Args) > 1 {
		panic(http.ListenAndServe(":8080", http.HandlerFunc(serveProfile)))
	}
	for _, path := range []string{"/profile", "/user/campaigns"} {
		fmt.Println(path, "is", get(path))
	}
}

func serveProfile(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "what %s has at %s", r.Host, r.URL)
}

// get waits until the API has started.
func get(path string) string {
	for {
		request, _ := http.NewRequest("GET", os.Getenv("API_URL")+path, nil)
		request.Header.Set("Authorization", "Bearer alice")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			panic(err)
		}
		body, _ := io.ReadAll(response.Body)
		if response.StatusCode != http.StatusBadGateway {
			return string(body)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
`

// An app with one base URL finds all of its API there: with the flag that the README names, the
// fake passes on what it does not answer to another container.
func TestComposeWithUpstream(t *testing.T) {
	top := t.TempDir()
	appImage := fmt.Sprint(image, "-upstream-", os.Getpid())
	flag := regexp.MustCompile("`(\"--upstream\", \"http://api:8080/v1\")`").
		FindStringSubmatch(pages.Text(t, "README.md"))
	if flag == nil {
		t.Fatal("the README names no upstream for compose")
	}
	compose := strings.NewReplacer(
		`command: [`, `command: [`+flag[1]+`, `,
		"image: my-app", "image: "+appImage,
	).Replace(pages.Example(t, "yaml compose.yaml"))
	compose += "  api: {image: " + appImage + ", command: [/app, serve]}\n"
	for name, text := range map[string]string{
		"compose.yaml":        compose,
		"fixtures/users.yaml": "users: {alice: {campaigns: []}}\n",
		"image/main.go":       appAndAPI,
		"image/Dockerfile":    "FROM golang:1.26\nCOPY app /app\nCMD [\"/app\"]\n",
	} {
		path := filepath.Join(top, "app", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := process.Clone(filepath.Join(top, "campaignfake")); err != nil {
		t.Fatal(err)
	}
	sh := func(script string) string {
		if exec.Command("docker", "compose", "version").Run() != nil {
			// An older client has a command of its own.
			script = strings.ReplaceAll(script, "docker compose", "docker-compose")
		}
		shell := exec.Command("sh", "-ec", script)
		shell.Dir = filepath.Join(top, "app")
		shell.Env = append(os.Environ(), "COMPOSE_PROJECT_NAME="+appImage)
		out, err := shell.CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return string(out)
	}
	t.Cleanup(func() {
		sh("docker compose down --volumes --rmi=local --timeout=5; docker image rm --force " +
			appImage)
	})
	sh("CGO_ENABLED=0 go build -o image/app image/main.go && docker build -t " + appImage +
		" image")
	out := sh("docker compose up --exit-code-from app")
	for _, want := range []string{
		"/profile is what api:8080 has at /v1/profile\n",
		`/user/campaigns is {"campaigns":[]}` + "\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the app does not print %q:\n%s", want, out)
		}
	}
}
