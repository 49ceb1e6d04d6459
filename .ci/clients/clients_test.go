// Package clients has clients of other kinds meet the gallery, and every fault:
// curl, Node, Python, and a page of another origin in Chromium. It is no part of
// go test ./..., since it needs them all.
package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/ci/process"
)

// A request is what a client is asked to send.
type request struct {
	Token    string `json:"token"`
	Patience int    `json:"patience"` // milliseconds

	want string // what comes of it
	curl int    // curl's exit code
}

const (
	patient   = 15_000
	impatient = 700 // where nothing more comes
)

// requests are every token of the gallery, as often as its story takes.
func requests() []request {
	var list []request
	meets := func(token, want string, curl int) {
		r := request{Token: token, Patience: patient, want: want, curl: curl}
		if want == "timeout" {
			r.Patience = impatient
		}
		list = append(list, r)
	}
	tell := func(token string, outcomes ...string) {
		for _, want := range outcomes {
			meets(token, want, 0)
		}
	}
	ten := "list of 10"
	tell("demo", "list of 8")
	tell("empty", "list of 0")
	tell("single", "one paused")
	tell("many", "list of 250")
	tell("huge", "list of 10000")
	tell("edge-cases", "list of 71")
	tell("edge-texts", "list of 35")
	tell("edge-dates", "list of 19")
	tell("edge-types", "list of 17")
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
	meets("truncated", "broken", 18)
	meets("reset", "broken", 56)
	meets("hang", "timeout", 28)
	meets("stall", "timeout", 28)
	tell("progress", "one scheduled", "one scheduled", "one active", "one active", "one completed", "one completed", "one scheduled")
	tell("anybody", ten)

	return list
}

func TestMain(m *testing.M) { os.Exit(process.Main(m)) }

// The gallery has no token that is not met here.
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
	for name, command := range map[string][]string{
		"Node":     {"node", "node.mjs"},
		"Python":   {"python3", "meet.py"},
		"Chromium": {"node", "browser.mjs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := requests()
			input, err := json.Marshal(map[string]any{"base": process.Start(t).BaseURL, "requests": asked})
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
					t.Errorf("request %d, of %s: %s, want %s", i, r.Token, got[i], r.want)
				}
			}
		})
	}
	t.Run("curl", func(t *testing.T) {
		t.Parallel()
		base := process.Start(t).BaseURL
		for i, r := range requests() {
			client := exec.Command("curl", "-sS", "-o", os.DevNull, "-w", "%{http_code}", "-m", fmt.Sprint(float64(r.Patience)/1000),
				"-H", "Authorization: Bearer "+r.Token, base+"/user/campaigns")
			status, _ := client.Output()
			if got := client.ProcessState.ExitCode(); got != r.curl {
				t.Errorf("request %d, of %s: curl exits with %d, want %d", i, r.Token, got, r.curl)
			}
			if want, found := strings.CutPrefix(r.want, "status "); found && string(status) != want {
				t.Errorf("request %d, of %s: %s, want %s", i, r.Token, status, want)
			}
		}
	})
}
