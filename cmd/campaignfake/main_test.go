package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// asCommand is the variable that makes the test binary the command. Its name
// does not start like those of the command, which refuses any it does not know.
const asCommand = "TEST_BINARY_IS_THE_COMMAND"

// TestMain lets the tests run the command as the process that it is, with its
// signals, its exit status and its output, and without building it first.
func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// deadline ends what hangs. Nothing is expected to come near it.
const deadline = time.Minute

// command prepares a run of the command in an empty folder, with no variables
// but the given ones.
func command(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	t.Cleanup(cancel)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = slices.DeleteFunc(os.Environ(), func(setting string) bool { return strings.HasPrefix(setting, variablePrefix) })
	// The race detector would have each of hundreds of processes sleep a second
	// at its end, for what goroutines might still report.
	cmd.Env = append(cmd.Env, asCommand+"=1", "GORACE=atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// A result is what is left of a command that has ended.
type result struct {
	status         int
	stdout, stderr string
}

// finish runs a command that ends by itself.
func finish(t *testing.T, env []string, args ...string) result {
	t.Helper()
	cmd := command(t, env, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// failsLike checks the status of a command that failed, that it said each of
// the words on standard error, and nothing on standard output.
func (r result) failsLike(t *testing.T, status int, words ...string) {
	t.Helper()
	if r.status != status {
		t.Errorf("the status is %d, want %d", r.status, status)
	}
	for _, word := range words {
		if !strings.Contains(r.stderr, word) {
			t.Errorf("standard error lacks %q", word)
		}
	}
	if r.stdout != "" {
		t.Errorf("standard output is not empty:\n%s", r.stdout)
	}
	if t.Failed() {
		t.Logf("standard error:\n%s", r.stderr)
	}
}

// A process is a server that runs.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	stderr *bytes.Buffer // to be read once it has ended, unless given by the test
	exited chan struct{}

	banner     string
	root, base string // URLs, as the banner prints them
	curl       string // the line to paste
}

// serve starts a server on a free port, and waits for its banner.
func serve(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	return start(t, command(t, env, append([]string{"--listen", "127.0.0.1:0"}, args...)...))
}

// start starts a prepared command that serves, and waits for its banner.
func start(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{t: t, cmd: cmd, stderr: new(bytes.Buffer), exited: make(chan struct{})}
	if cmd.Stderr == nil {
		cmd.Stderr = p.stderr
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = write
	p.launch()
	write.Close()
	t.Cleanup(func() { read.Close() })

	var banner strings.Builder
	lines := bufio.NewScanner(read)
	for p.curl == "" && lines.Scan() {
		line := lines.Text()
		banner.WriteString(line + "\n")
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, `{"time":`): // --log-format json
			values := jsonLine(t, trimmed)
			p.base, p.root, p.curl = values["base_url"], strings.TrimSuffix(values["health"], "/_fake/health"), trimmed
		case strings.HasPrefix(trimmed, "base URL "):
			p.base = strings.TrimSpace(strings.TrimPrefix(trimmed, "base URL "))
		case strings.HasPrefix(trimmed, "health "):
			p.root = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(trimmed, "health ")), "/_fake/health")
		case strings.HasPrefix(trimmed, "curl "):
			p.curl = trimmed
		}
	}
	p.banner = banner.String()
	if p.curl == "" {
		<-p.exited
		t.Fatalf("the server ended with status %d before its banner did:\n%s%s", p.status(), p.banner, p.stderr)
	}
	return p
}

// launch starts the process, and sees to its end.
func (p *process) launch() {
	p.t.Helper()
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() {
		defer close(p.exited)
		p.cmd.Wait()
	}()
	p.t.Cleanup(func() {
		p.cmd.Process.Kill() // an error says that it has ended
		<-p.exited
	})
}

// end sends a signal, and waits for the process to end with status 0.
func (p *process) end(signal os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil {
		p.t.Fatal(err)
	}
	<-p.exited
	if status := p.status(); status != 0 {
		p.t.Errorf("the status is %d after the signal %v, want 0 (%v)\n%s", status, signal, p.cmd.ProcessState, p.stderr)
	}
}

// status is that of a process that has ended, -1 if a signal ended it.
func (p *process) status() int { return p.cmd.ProcessState.ExitCode() }

// ask sends a request of its own connection, and returns the answer and its
// body.
func ask(t *testing.T, method, url string, header http.Header) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: deadline}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

func bearer(token string) http.Header {
	return http.Header{"Authorization": {"Bearer " + token}}
}

// list asks for the campaigns of a token.
func (p *process) list(token string) (status int, body string) {
	p.t.Helper()
	response, body := ask(p.t, "GET", p.base+"/user/campaigns", bearer(token))
	return response.StatusCode, body
}

// ids returns the ids of the campaigns of a token, which must be known.
func (p *process) ids(token string) []string {
	p.t.Helper()
	status, body := p.list(token)
	if status != 200 {
		p.t.Fatalf("token %s is answered %d: %s", token, status, body)
	}
	return idsIn(p.t, body)
}

func idsIn(t *testing.T, body string) (ids []string) {
	t.Helper()
	var list struct{ Campaigns []struct{ ID string } }
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	for _, c := range list.Campaigns {
		ids = append(ids, c.ID)
	}
	return ids
}

// file writes a file into a new folder, and returns its path.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// users returns fixtures in which each token has one campaign, with the token
// and a word as its id.
func users(word string, tokens ...string) string {
	var b strings.Builder
	b.WriteString("users:\n")
	for _, token := range tokens {
		b.WriteString("  " + token + ": {campaigns: [{id: " + token + "-" + word +
			", name: n, status: active, created_at: 2026-01-05T09:30:00Z, updated_at: 2026-01-05T09:30:00Z}]}\n")
	}
	return b.String()
}

func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		env, args []string
		want      string
	}{
		"help":                       {nil, []string{"--help"}, "Usage: campaignfake"},
		"short help":                 {nil, []string{"-h"}, "Usage: campaignfake"},
		"help of serve":              {nil, []string{"serve", "--help"}, "$CAMPAIGNFAKE_BASE_PATH"},
		"help of check":              {nil, []string{"check", "--help"}, "Files and folders of fixtures"},
		"help of generate":           {nil, []string{"generate", "--help"}, "--count"},
		"help of health":             {nil, []string{"health", "--help"}, "$CAMPAIGNFAKE_LISTEN"},
		"help of requests":           {nil, []string{"requests", "--help"}, "$CAMPAIGNFAKE_URL"},
		"help of reply":              {nil, []string{"reply", "--help"}, "$CAMPAIGNFAKE_READY_FILE"},
		"help of reset":              {nil, []string{"reset", "--help"}, "$CAMPAIGNFAKE_CONTROL"},
		"version":                    {nil, []string{"--version"}, "campaignfake"},
		"help with a wrong value":    {[]string{"CAMPAIGNFAKE_SEED=x"}, []string{"--help"}, "Usage: campaignfake"},
		"help with a wrong variable": {[]string{"CAMPAIGNFAKE_SEEED=1"}, []string{"--help"}, "Usage: campaignfake"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := finish(t, tt.env, tt.args...)
			if got.status != 0 || got.stderr != "" || !strings.Contains(got.stdout, tt.want) {
				t.Errorf("the status is %d, want 0, nothing on standard error, and %q in the output:\n%s%s", got.status, tt.want, got.stderr, got.stdout)
			}
		})
	}
}

func TestMisspeltCommand(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args []string
		want []string
	}{
		"serve":            {[]string{"srve"}, []string{`"srve"`, `did you mean "serve"?`, "campaignfake --help"}},
		"check":            {[]string{"chekc", "fixtures.yaml"}, []string{`"chekc"`, `did you mean "check"?`}},
		"health":           {[]string{"helth", "http://127.0.0.1:1"}, []string{`"helth"`, `did you mean one of "health", "help"?`}},
		"reset":            {[]string{"reste"}, []string{`"reste"`, `did you mean "reset"?`}},
		"its own flags":    {[]string{"generat", "--token", "t"}, []string{`"generat"`, `did you mean "generate"?`}},
		"flags before it":  {[]string{"--quiet", "srve"}, []string{`"srve"`, `did you mean "serve"?`}},
		"nothing is near":  {[]string{"fixtures"}, []string{`"fixtures"`, "serve, check, compare, generate, health, requests, reply, reset, schema, completion, help and version"}},
		"a misspelt flag":  {[]string{"--quite"}, []string{"--quite", "--quiet", "campaignfake serve --help"}},
		"an empty word":    {[]string{""}, []string{`""`, "file or folder"}},
		"paths apart":      {[]string{"a.yaml", "--quiet", "b.yaml"}, []string{"b.yaml", "side by side"}},
		"tokens apart":     {[]string{"reset", "a", "--url", "http://x", "b"}, []string{"b", "all tokens side by side", "campaignfake reset --help"}},
		"no token":         {[]string{"reply", "--status", "503"}, []string{"no token was named", "campaignfake reply --help"}},
		"no value":         {[]string{"reply", "a", "--status"}, []string{"--status has no value", "--status=…"}},
		"no header":        {[]string{"reply", "a", "--header"}, []string{"--header has no value", "--header=…"}},
		"an argument more": {[]string{"generate", "--token", "t", "more"}, []string{"more", "campaignfake generate --help"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			finish(t, nil, tt.args...).failsLike(t, 2, append(tt.want, "--help shows what can be written")...)
		})
	}
}
