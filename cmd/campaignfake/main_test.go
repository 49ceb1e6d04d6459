package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// deadline ends a step that hangs. No step should take nearly as long.
const deadline = time.Minute

// A result is the status and the output of a command that has ended.
type result struct {
	status         int
	stdout, stderr string
}

// shortInterval makes tests fast.
const shortInterval = 10 * time.Millisecond

// environment returns the variables of this process without variables of campaignfake, and adds a
// free port and the given variables.
func environment(env []string) []string {
	others := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, variablePrefix)
	})
	return slices.Concat(others, []string{"CAMPAIGNFAKE_LISTEN=127.0.0.1:0"}, env)
}

// testProcess returns a process whose only variables of campaignfake are a free port and the given
// variables.
func testProcess(stdout, stderr io.Writer, env []string, args ...string) *process {
	line := append([]string{"campaignfake"}, args...)
	p := newProcess(line, environment(env))
	p.stdout = stdout
	p.stderr = stderr
	p.watchInterval = shortInterval
	return p
}

// finish runs a command that ends by itself.
func finish(t *testing.T, env []string, args ...string) result {
	t.Helper()
	return finishReading(t, "", env, args...)
}

// finishReading runs a command that ends by itself, with a text on standard input.
func finishReading(t *testing.T, stdin string, env []string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	var stdout, stderr bytes.Buffer
	p := testProcess(&stdout, &stderr, env, args...)
	p.stdin = strings.NewReader(stdin)
	status := run(ctx, p)
	return result{status, stdout.String(), stderr.String()}
}

// failsLike checks the status of a command that failed, that standard error has each of
// the words, and that standard output is empty.
func (r result) failsLike(t *testing.T, status int, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(r.stderr, word) {
			t.Errorf("standard error lacks %q:\n%s", word, r.stderr)
		}
	}
	if r.status != status || r.stdout != "" {
		t.Errorf("the status is %d, want %d, and no standard output:\n%s%s",
			r.status, status, r.stdout, r.stderr)
	}
}

// A server is a command that serves: in this process, or as a program of its own.
type server struct {
	t      *testing.T
	stderr *bytes.Buffer // may be read when the process has ended
	exited chan struct{}
	code   int                   // the exit status, when the process has ended
	signal func(os.Signal) error // if the server runs in this process, every signal ends it

	banner     string
	root, base string // the URLs that the banner prints
	curl       string // the command to paste
}

// launch runs a command, and sees to its end.
func launch(
	t *testing.T, stderr *bytes.Buffer, run func() (status int), signal func(os.Signal) error,
) *server {
	t.Helper()
	s := &server{t: t, stderr: stderr, exited: make(chan struct{}), signal: signal}
	go func() {
		defer close(s.exited)
		s.code = run()
	}()
	t.Cleanup(func() {
		signal(os.Kill) // fails if the process has ended already
		<-s.exited
	})
	return s
}

// serve starts a server in this process, on a free port unless it is told otherwise, and
// waits for its banner.
func serve(t *testing.T, env []string, args ...string) *server {
	t.Helper()
	read, write := io.Pipe()
	stderr := new(bytes.Buffer)
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	run := func() int {
		defer write.Close()
		return run(ctx, testProcess(write, stderr, env, args...))
	}
	s := launch(t, stderr, run, func(os.Signal) error {
		cancel()
		return nil
	})
	s.awaitBanner(read)
	return s
}

// baseURL matches the base URL in the banner of a server, in each format.
var baseURL = regexp.MustCompile(`(?m)(?:^|  base URL  |"base_url":")(https?://[^\s"]+)`)

// awaitBanner reads what the server prints at its start: a banner, or one line.
func (s *server) awaitBanner(stdout io.Reader) {
	s.t.Helper()
	const curl = "\n  curl "
	lines := bufio.NewScanner(stdout)
	for isWhole := false; !isWhole && lines.Scan(); {
		s.banner += lines.Text() + "\n"
		isLine := !strings.HasPrefix(s.banner, "campaignfake ")
		isWhole = isLine || strings.Contains(s.banner, curl)
	}
	found := baseURL.FindStringSubmatch(s.banner)
	if found == nil {
		<-s.exited
		s.t.Fatalf("the server ended with status %d before its banner did:\n%s%s",
			s.code, s.banner, s.stderr)
	}
	s.base = found[1]
	address, err := url.Parse(s.base)
	if err != nil {
		s.t.Fatal(err)
	}
	s.root = address.Scheme + "://" + address.Host
	_, command, _ := strings.Cut(s.banner, curl)
	s.curl = "curl " + strings.TrimSpace(command)
	go io.Copy(io.Discard, stdout)
}

// end ends the server by a signal, checks its status, and returns its log.
func (s *server) end(signal os.Signal, status int) (log string) {
	s.t.Helper()
	if err := s.signal(signal); err != nil {
		s.t.Fatal(err)
	}
	<-s.exited
	if s.code != status {
		s.t.Errorf("the status is %d after the signal %v, want %d\n%s",
			s.code, signal, status, s.stderr)
	}
	return s.stderr.String()
}

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
func (p *server) list(token string) (status int, body string) {
	p.t.Helper()
	response, body := ask(p.t, "GET", p.base+"/user/campaigns", bearer(token))
	return response.StatusCode, body
}

// ids returns the ids of the campaigns of a known token.
func (p *server) ids(token string) []string {
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
			", name: n, status: active, created_at: 2026-01-05T09:30:00Z, updated_at: " +
			"2026-01-05T09:30:00Z}]}\n")
	}
	return b.String()
}

func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		env, args []string
		want      string
	}{
		"help":          {nil, []string{"--help"}, "Commands:\n  serve "},
		"help of serve": {nil, []string{"serve", "--help"}, "$CAMPAIGNFAKE_BASE_PATH"},
		"version":       {nil, []string{"version", "--"}, "campaignfake"},
		"--version":     {nil, []string{"--version"}, "campaignfake"},
		"help with a wrong value": {
			[]string{"CAMPAIGNFAKE_SEED=x"}, []string{"--help"}, "Usage: campaignfake",
		},
	}
	for name, tt := range tests {
		got := finish(t, tt.env, tt.args...)
		if got.status != 0 || got.stderr != "" || !strings.Contains(got.stdout, tt.want) {
			t.Errorf("%s: the status is %d, and the output lacks %q:\n%s%s",
				name, got.status, tt.want, got.stdout, got.stderr)
		}
	}
}
