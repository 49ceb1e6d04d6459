// Package services has campaignfake compare look at services that are not ours: processes
// of their own, in Python, Node and nginx, with the habits and the troubles of real ones.
// It is no part of go test ./..., since it needs them all.
package services

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/campaignfake/ci/process"
)

func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.parallel", "40") // since each comparison waits a second between two requests
	os.Exit(process.Main(m))
}

// The token of all services. It has no digits and is short, so that nothing is left out of
// an output merely because it holds a number, or a long word.
const token = "KqzWvbTrLmNs/XyGh+Pd=="

// A service is a server that runs, and writes a line for each request that it gets.
type service struct {
	address string // host and port
	baseURL string
	log     string // a file
}

// start starts a script of the folder servers, with arguments.
func start(t *testing.T, script string, args ...string) *service {
	t.Helper()
	interpreter := map[string]string{".py": "python3", ".mjs": "node"}[filepath.Ext(script)]
	log, err := os.Create(filepath.Join(t.TempDir(), "requests"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	server := exec.Command(interpreter, append([]string{filepath.Join("servers", script)}, args...)...)
	server.Env = append(os.Environ(), "TOKEN="+token, "PYTHONDONTWRITEBYTECODE=1")
	server.Stderr = log
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatalf("%s does not start: %v; install it", interpreter, err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		text, _ := os.ReadFile(log.Name())
		t.Fatalf("%s does not print its port: %v\n%s", script, err, text)
	}
	address := "127.0.0.1:" + strings.TrimSpace(port)
	return &service{address: address, baseURL: "http://" + address + "/api", log: log.Name()}
}

// asked returns the lines that a service has written, one for each request.
func (s *service) asked(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(s.log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return slices.Collect(strings.Lines(string(text)))
}

// A report is what campaignfake compare --format json prints.
type report struct {
	Verdict  string `json:"verdict"`
	Reason   string `json:"reason"`
	Findings []struct {
		Setting string          `json:"setting"`
		Verdict string          `json:"verdict"`
		Fake    json.RawMessage `json:"fake"`
		Real    json.RawMessage `json:"real"`
		Note    string          `json:"note"`
	} `json:"findings"`
}

// An outcome is what a run of the command has come to.
type outcome struct {
	status         int
	stdout, stderr string
	report         report // if the format is json
}

// compare runs campaignfake compare, and checks what holds of every run: it ends in time,
// and its output holds nothing that the service has said of its campaigns, and no part of
// the token.
func compare(t *testing.T, baseURL string, args ...string) outcome {
	t.Helper()
	return compareIn(t, nil, baseURL, args...)
}

// compareIn runs campaignfake compare with further variables.
func compareIn(t *testing.T, variables []string, baseURL string, args ...string) outcome {
	t.Helper()
	if !slices.Contains(args, "--format") {
		args = append(args, "--format", "json")
	}
	var stdout, stderr bytes.Buffer
	command := exec.Command(process.Program(), append([]string{"compare", baseURL, "--token-env", "REAL_TOKEN"}, args...)...)
	command.Env = append([]string{"PATH=" + os.Getenv("PATH"), "REAL_TOKEN=" + token}, variables...)
	command.Stdout, command.Stderr = &stdout, &stderr
	began := time.Now()
	var exit *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 2*time.Minute { // nothing is expected to come near it
		t.Errorf("the command took %s, want about a minute at most", took)
	}
	o := outcome{status: command.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
	if strings.HasPrefix(o.stdout, "{") {
		if err := json.Unmarshal(stdout.Bytes(), &o.report); err != nil {
			t.Errorf("the report is not JSON: %v\n%s", err, o.stdout)
		}
	}
	if used, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok && used.Maxrss > 768<<10 {
		t.Errorf("the command took %d MiB, want 768 at most", used.Maxrss>>10)
	}
	holdsNoSecret(t, "what was printed", o.stdout+o.stderr)
	return o
}

// safe checks that a service got few requests, and only such as change nothing.
func (s *service) safe(t *testing.T) {
	t.Helper()
	asked := s.asked(t)
	if len(asked) > 12 {
		t.Errorf("%d requests were sent, want at most 12", len(asked))
	}
	for _, line := range asked {
		if method, _, _ := strings.Cut(line, " "); !slices.Contains([]string{"GET", "HEAD", "OPTIONS"}, method) {
			t.Errorf("the service has written %q, which is no safe request", line)
		}
	}
	if t.Failed() {
		t.Logf("the service has written:\n%s", strings.Join(asked, ""))
	}
}

// written runs campaignfake check on the file of --write, looks for secrets in it, and
// returns its text.
func written(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
		return ""
	}
	holdsNoSecret(t, "the written file", string(text))
	if out, err := exec.Command(process.Program(), "check", file).CombinedOutput(); err != nil {
		t.Errorf("the written file does not load: %v\n%s\n%s", err, out, text)
	}
	return string(text)
}

// A look is a comparison with a service that has a list, and what has to come of it.
type look struct {
	name   string
	script string
	args   string // of the script

	status int    // with the defaults: 0, 4 if something differs, 5 if it does not but something was not seen
	again  int    // with what was written
	finds  string // a part of the report
}

// learns compares a service with the defaults, writes down what is concluded, and compares
// the service with that.
func (l look) learns(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "observed.yaml")
	first := start(t, l.script, strings.Fields(l.args)...)
	o := compare(t, first.baseURL, "--write", file)
	first.safe(t)
	l.check(t, o)
	text := written(t, file)
	if strings.Contains(text, "127.0.0.1") {
		t.Errorf("the written file holds the host:\n%s", text)
	}
	second := start(t, l.script, strings.Fields(l.args)...)
	again := compare(t, second.baseURL, file)
	second.safe(t)
	if again.status != l.again {
		t.Errorf("compared with what was written, the status is %d, want %d\n%s", again.status, l.again, again)
	}
	if t.Failed() {
		t.Logf("what was written is\n%s\nand the first report\n%s", text, o)
	}
}

// check checks what was found.
func (l look) check(t *testing.T, o outcome) {
	t.Helper()
	if o.status != l.status || !strings.Contains(o.stdout+o.stderr, l.finds) {
		t.Errorf("the status is %d, want %d, and %q in\n%s", o.status, l.status, l.finds, o)
	}
}

// String returns the findings that do not agree, a line for each.
func (o outcome) String() string {
	var b strings.Builder
	for _, f := range o.report.Findings {
		if f.Verdict != "agrees" {
			fmt.Fprintf(&b, "%s %s: fake %s, service %s (%s)\n", f.Verdict, f.Setting, f.Fake, f.Real, f.Note)
		}
	}
	if b.Len() == 0 {
		return o.stdout + o.stderr
	}
	return b.String() + o.stderr
}

// hasNoVerdict checks that there is no verdict, and why.
func hasNoVerdict(t *testing.T, o outcome, reason string) {
	t.Helper()
	if o.status != 1 || o.report.Verdict != "none" || !strings.Contains(o.report.Reason, reason) || !strings.Contains(o.stderr, reason) {
		t.Errorf("the status is %d, the verdict %q and the reason %q, want 1, none and %q\n%s", o.status, o.report.Verdict, o.report.Reason, reason, o.stderr)
	}
}
