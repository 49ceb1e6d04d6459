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
	cmd := exec.Command(program, args...)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		err := cmd.Wait()
		if err != nil && cmd.ProcessState.Exited() {
			t.Errorf("the server ended with %v", err)
		}
		if t.Failed() {
			t.Logf("the server wrote\n%s", output.String())
		}
	})
	for range 10_000 { // some 50 seconds
		var content struct {
			BaseURL string `json:"base_url"`
		}
		text, err := os.ReadFile(ready)
		if err == nil && json.Unmarshal(text, &content) == nil {
			_, rest, _ := strings.Cut(content.BaseURL, "://")
			address, _, _ := strings.Cut(rest, "/")
			return &Server{Address: address, BaseURL: content.BaseURL}
		}
		time.Sleep(5 * time.Millisecond)
	}
	cmd.Process.Kill()
	t.Fatal("the server does not answer")
	return nil
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
