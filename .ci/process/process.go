// Package process runs campaignfake, and programs beside it, as processes of their own,
// for the tests that go test ./... does not run.
package process

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// program is the path of the command, which Main has built.
var program string

// Program returns the path of the command. Main must have built it.
func Program() string { return program }

// Main builds the command for the tests of a package in a folder of .ci, runs them, and
// removes it. A TestMain calls it, and ends with its result.
func Main(m *testing.M) int {
	folder, err := os.MkdirTemp("", "campaignfake-ci-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	program = filepath.Join(folder, "campaignfake")
	build := exec.Command("go", "build", "-o", program, "./cmd/campaignfake")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// A Server is a campaignfake that runs.
type Server struct {
	Address string // host and port
	BaseURL string

	cmd    *exec.Cmd
	output bytes.Buffer
	stop   func() error
}

// Stop interrupts the server, and returns how it ended. What it has written is complete then.
func (s *Server) Stop() error {
	return s.stop()
}

// Output returns what the server has written. Stop must have returned.
func (s *Server) Output() string {
	return s.output.String()
}

// Start starts the command that Main has built, as Run does.
func Start(t *testing.T, args ...string) *Server {
	t.Helper()
	return Run(t, program, args...)
}

// Run starts a server with further arguments, on a free port, and stops it when
// the test ends. It returns when the server answers.
func Run(t *testing.T, program string, args ...string) *Server {
	t.Helper()
	ready := filepath.Join(t.TempDir(), "ready")
	args = append([]string{"--ready-file", ready, "--listen", "127.0.0.1:0"}, args...)
	s := &Server{cmd: exec.Command(program, args...)}
	s.cmd.Stdout, s.cmd.Stderr = &s.output, &s.output
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.stop = sync.OnceValue(func() error {
		s.cmd.Process.Signal(os.Interrupt)
		return s.cmd.Wait()
	})
	t.Cleanup(func() {
		err := s.Stop()
		if err != nil && s.cmd.ProcessState.Exited() {
			t.Errorf("the server ended with %v", err)
		}
		if t.Failed() {
			t.Logf("the server wrote\n%s", s.output.String())
		}
	})
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		var content struct {
			BaseURL string `json:"base_url"`
		}
		text, err := os.ReadFile(ready)
		if err == nil {
			err = json.Unmarshal(text, &content)
		}
		if err == nil {
			s.BaseURL = content.BaseURL
			_, rest, _ := strings.Cut(s.BaseURL, "://")
			s.Address, _, _ = strings.Cut(rest, "/")
			return s
		}
		if time.Now().After(deadline) {
			s.cmd.Process.Kill()
			t.Fatalf("the server does not answer: %v\n%s", err, s.output.String())
		}
	}
}

// Ask asks a base URL for the campaigns of a token, over a connection of its own.
func Ask(baseURL, token string) (status int, body string, err error) {
	r, err := http.NewRequest("GET", baseURL+"/user/campaigns", nil)
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), err
}

// Free returns an address that nobody listens on.
func Free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Node runs a script of Node's tests in this folder, which starts the command as often as it needs
// to. Each of its tests has to pass.
func Node(t *testing.T, script string, environment ...string) {
	t.Helper()
	node := exec.Command("node", "--test-reporter=spec", script)
	node.Env = append(os.Environ(),
		"CAMPAIGNFAKE="+program,
		"TMPDIR="+t.TempDir()) // where a browser that is killed leaves files
	node.Env = append(node.Env, environment...)
	out, err := node.CombinedOutput()
	hasSkipped := !strings.Contains(string(out), "\nℹ skipped 0\n")
	hasNone := strings.Contains(string(out), "\nℹ pass 0\n")
	if err != nil || hasSkipped || hasNone {
		t.Errorf("not everything has passed: %v\n%s", err, out)
	}
}
