// Package clients has clients of other kinds meet the gallery, and every fault:
// curl, Node, Python, and a page of another origin in Chromium. It is no part of
// go test ./..., since it needs them all.
package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A request is what a client is asked to send.
type request struct {
	Token    string `json:"token"`
	Prefer   string `json:"prefer"`
	Patience int    `json:"patience"` // milliseconds

	want string // what comes of it
	curl int    // curl's exit code
}

const (
	patient   = 15_000
	impatient = 700 // where nothing more comes
)

// requests are every token of the gallery, as often as its story takes, and
// every fault.
func requests() []request {
	var list []request
	meets := func(token, prefer, want string, curl int) {
		r := request{Token: token, Prefer: prefer, Patience: patient, want: want, curl: curl}
		if want == "timeout" {
			r.Patience = impatient
		}
		list = append(list, r)
	}
	tell := func(token string, outcomes ...string) {
		for _, want := range outcomes {
			meets(token, "", want, 0)
		}
	}
	ten := "list of 10"
	tell("demo", "list of 8")
	tell("empty", "list of 0")
	tell("single", "one paused")
	tell("many", "list of 250")
	tell("huge", "list of 10000")
	tell("edge-cases", "list of 71")
	tell("slow", ten)
	tell("flaky", "status 503", "status 503", ten, ten, ten, "status 503")
	tell("expiring", ten, ten, ten, ten, ten, "status 401", "status 401", "status 401", ten)
	tell("expired", "status 401")
	tell("forbidden", "status 403")
	tell("rate-limited", ten, ten, ten, "status 429")
	tell("server-error", "status 500")
	tell("maintenance", "status 503")
	tell("not-json", "no JSON")
	tell("bad-json", "no JSON")
	meets("truncated", "", "broken", 18)
	meets("reset", "", "broken", 56)
	meets("hang", "", "timeout", 28)
	meets("stall", "", "timeout", 28)
	tell("progress", "one scheduled", "one scheduled", "one active", "one active", "one completed", "one completed", "one scheduled")
	tell("anybody", ten)

	meets("demo", "fault=reset", "broken", 56)
	meets("demo", "fault=close", "broken", 52)
	meets("demo", "fault=hang", "timeout", 28)
	meets("demo", "fault=garbage", "broken", 1)
	meets("demo", "fault=truncate", "broken", 18)
	meets("demo", "fault=stall", "timeout", 28)
	meets("demo", "fault=bad_chunk", "broken", 56)
	meets("demo", "fault=bad_json", "no JSON", 0)
	meets("demo", "fault=wrong_type", "no JSON", 0)
	meets("demo", "code=418", "status 418", 0)
	meets("demo", "code=500, delay=10ms", "status 500", 0)
	meets("demo", "code=nonsense", "status 400", 0)
	return list
}

// program builds the command once.
func program(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "campaignfake")
	build := exec.Command("go", "build", "-o", name, "./cmd/campaignfake")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// freeAddress returns an address that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// serve starts the gallery with further flags, and returns its base URL.
func serve(t *testing.T, program string, args ...string) string {
	t.Helper()
	address := freeAddress(t)
	var output bytes.Buffer
	server := exec.Command(program, append([]string{"--listen", address}, args...)...)
	server.Stdout, server.Stderr = &output, &output
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Signal(os.Interrupt)
		if err := server.Wait(); err != nil {
			t.Errorf("the server ends with %v", err)
		}
		if t.Failed() {
			t.Logf("the server wrote\n%s", output.String())
		}
	})
	for deadline := time.Now().Add(20 * time.Second); ; {
		if exec.Command(program, "health", "http://"+address).Run() == nil {
			return "http://" + address + "/api"
		}
		if time.Now().After(deadline) {
			t.Fatal("the server does not answer")
		}
	}
}

// The gallery has no token, and the server no fault, that is not met here.
func TestEveryTokenIsMet(t *testing.T) {
	t.Parallel()
	fixtures, err := filepath.Glob("../../fixtures/gallery/*.yaml")
	if err != nil || len(fixtures) == 0 {
		t.Fatal("there is no gallery: ", err)
	}
	for _, name := range fixtures {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			token, found := strings.CutSuffix(strings.TrimRight(strings.TrimPrefix(line, "  "), "\n"), ":")
			if !found || !strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "   ") {
				continue
			}
			if !slices.ContainsFunc(requests(), func(r request) bool { return r.Token == token }) {
				t.Errorf("nobody meets %s of %s", token, name)
			}
		}
	}
}

func TestClientsMeetTheGallery(t *testing.T) {
	t.Parallel()
	program := program(t)
	for name, command := range map[string][]string{
		"Node":     {"node", "node.mjs"},
		"Python":   {"python3", "meet.py"},
		"Chromium": {"node", "browser.mjs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := requests()
			input, err := json.Marshal(map[string]any{"base": serve(t, program), "requests": asked})
			if err != nil {
				t.Fatal(err)
			}
			client := exec.Command(command[0], command[1:]...)
			client.Stdin = bytes.NewReader(input)
			client.Stderr = os.Stderr
			out, err := client.Output()
			if err != nil {
				t.Fatalf("%s fails: %v\n%s", name, err, out)
			}
			got := strings.Split(strings.TrimSpace(string(out)), "\n")
			if len(got) != len(asked) {
				t.Fatalf("%d of %d requests were met:\n%s", len(got), len(asked), out)
			}
			for i, r := range asked {
				if got[i] != r.want {
					t.Errorf("request %d, of %s with Prefer: %q: %s, want %s", i, r.Token, r.Prefer, got[i], r.want)
				}
			}
		})
	}
	t.Run("curl", func(t *testing.T) {
		t.Parallel()
		base := serve(t, program)
		for i, r := range requests() {
			client := exec.Command("curl", "-sS", "-o", os.DevNull, "-w", "%{http_code}", "-m", fmt.Sprint(float64(r.Patience)/1000),
				"-H", "Authorization: Bearer "+r.Token, "-H", "Prefer: "+r.Prefer, base+"/user/campaigns")
			status, _ := client.Output()
			if got := client.ProcessState.ExitCode(); got != r.curl {
				t.Errorf("request %d, of %s with Prefer: %q: curl exits with %d, want %d", i, r.Token, r.Prefer, got, r.curl)
			}
			if want, found := strings.CutPrefix(r.want, "status "); found && string(status) != want {
				t.Errorf("request %d, of %s with Prefer: %q: %s, want %s", i, r.Token, r.Prefer, status, want)
			}
		}
	})
}
