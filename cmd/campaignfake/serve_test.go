package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The command in the banner has to work when somebody pastes it, with any token and any address.
func TestPastedLine(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sh", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	awkward := file(t, "awkward.yaml",
		`users: {"it's$(id)`+"`id`"+`\"&;|*?[a]{b,c}<>#~!%41\\": {campaigns: []}}`)
	tests := map[string]struct {
		listen string
		args   []string
		want   int
	}{
		"an awkward token": {"127.0.0.1:0", []string{awkward, "--unknown-tokens", "reject"}, 0},
		"every address":    {":0", nil, 8},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, []string{"CAMPAIGNFAKE_LISTEN=" + tt.listen}, tt.args...)
			// -q and the variable no_proxy keep curl from using settings of this machine.
			line := strings.Replace(p.curl, "curl ", "curl -q --fail-with-body -sS ", 1)
			sh := exec.Command("sh", "-c", line)
			sh.Env = append(os.Environ(), "NO_PROXY=*", "no_proxy=*")
			out, err := sh.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s\n%s", err, line, out)
			}
			if got := len(idsIn(t, string(out))); got != tt.want {
				t.Errorf("%s\nprints %d campaigns, want %d:\n%s", line, got, tt.want, out)
			}
		})
	}
}

func TestServeFilesAndFolders(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, folder, "a.yaml", users("own", "a"))
	single := file(t, "c.yaml", users("own", "c"))
	p := serve(t, nil, "--strict", single, folder)
	for _, token := range []string{"a", "c"} {
		if got := p.ids(token); !slices.Equal(got, []string{token + "-own"}) {
			t.Errorf("token %s has the campaigns %v", token, got)
		}
	}
	if got := len(p.ids("demo")); got != 10 {
		t.Errorf("token demo has %d campaigns, want the 10 of an unknown one", got)
	}
}

// send sends a request that is given as its lines, and returns the whole answer.
func (p *server) send(lines string) string {
	p.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.root, "http://"))
	if err != nil {
		p.t.Fatal(err)
	}
	defer conn.Close()
	first, header, _ := strings.Cut(lines, "\n")
	if !strings.Contains(header, "Host:") {
		header = "Host: localhost\n" + header
	}
	text := first + " HTTP/1.1\nConnection: close\n" + strings.TrimSpace(header) + "\n\n"
	io.WriteString(conn, strings.ReplaceAll(text, "\n", "\r\n"))
	answer, err := io.ReadAll(conn)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(answer)
}

// control returns what the control plane answers.
func (p *server) control(path string) string {
	p.t.Helper()
	response, body := ask(p.t, "GET", p.root+"/_fake/"+path, nil)
	if response.StatusCode != 200 {
		p.t.Errorf("/_fake/%s is answered %d %s", path, response.StatusCode, body)
	}
	return body
}

// A flag overrides its variable, a variable overrides the file, and the file overrides the default.
func TestPrecedence(t *testing.T) {
	t.Parallel()
	fixture := file(t, "service.yaml",
		"service: {base_path: /file, seed: 7, delay: 1ms}\nusers: {a: {}, b: {delay: 4ms}}\n")
	tests := map[string]struct {
		env, args     []string
		setting, want string // the value, what it starts from, and where it was given
	}{
		"variable over file": {
			env:     []string{"CAMPAIGNFAKE_BASE_PATH=/v"},
			args:    []string{fixture},
			setting: "base_path", want: "/v configured CAMPAIGNFAKE_BASE_PATH",
		},
		"flag over variable": {
			env:     []string{"CAMPAIGNFAKE_BASE_PATH=/v"},
			args:    []string{fixture, "--base-path=/flag"},
			setting: "base_path", want: "/flag configured --base-path",
		},
		"zero over file": {
			args:    []string{fixture, "--seed=0"},
			setting: "seed", want: "0 configured --seed",
		},
		"empty variable": {
			env:     []string{"CAMPAIGNFAKE_DELAY="},
			args:    []string{fixture},
			setting: "delay", want: "1ms configured " + fixture + ":1:38",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var service struct {
				Settings []struct {
					Name, Basis, Where string
					Value              any
				}
			}
			answer := serve(t, tt.env, tt.args...).control("service")
			if err := json.Unmarshal([]byte(answer), &service); err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, s := range service.Settings {
				if s.Name == tt.setting {
					got = fmt.Sprintf("%v %s %s", s.Value, s.Basis, s.Where)
				}
			}
			if got != tt.want {
				t.Errorf("%s is %q, want %q", tt.setting, got, tt.want)
			}
		})
	}
}

// Fixtures can come from a variable.
func TestFixturesFromAVariable(t *testing.T) {
	t.Parallel()
	const given = `
users: {alice: {replies: [{status: 418}]}, bob: {}}
service: {unknown_tokens: reject}
`
	env := []string{"CAMPAIGNFAKE_FIXTURES=" + given}
	p := serve(t, env, file(t, "bob.yaml", "users: {bob: {replies: [{status: 503}]}}\n"))
	for token, want := range map[string]int{"alice": 418, "bob": 503, "demo": 401} {
		if status, _ := p.list(token); status != want {
			t.Errorf("%s is answered %d, want %d", token, status, want)
		}
	}
	if !strings.Contains(p.banner, "CAMPAIGNFAKE_FIXTURES") {
		t.Errorf("the banner is\n%s", p.banner)
	}
	wrong := finish(t, []string{"CAMPAIGNFAKE_FIXTURES=users: {alice: 7}"})
	wrong.failsLike(t, 1, "CAMPAIGNFAKE_FIXTURES:1:16: users.alice: is 7, not a mapping")
}
