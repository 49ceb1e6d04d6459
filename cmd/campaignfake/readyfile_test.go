package main

import (
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// awaitReady reads the ready-file in the moment in which it appears. It looks
// without a pause, since a file that is there for a moment before it is whole
// would be missed otherwise.
func (p *server) awaitReady(name string) (ready readyContent) {
	p.t.Helper()
	for {
		text, err := os.ReadFile(name)
		if err == nil && len(text) > 0 { // mktemp makes an empty one
			if err := json.Unmarshal(text, &ready); err != nil {
				p.t.Fatalf("the ready-file is not whole: %v in %q", err, text)
			}
			return ready
		}
		select {
		case <-p.exited:
			p.t.Fatalf("the server ended with status %d, and there was no ready-file", p.code)
		default:
			runtime.Gosched()
		}
	}
}

func TestReadyFile(t *testing.T) {
	t.Parallel()
	name := file(t, "tmp.XXXX", "") // as mktemp makes it
	// All interfaces, since the file has to name one that can be reached.
	args := []string{"--listen", "0.0.0.0:0", "--base-path", "/v1"}
	p := launch(t, testProcess(io.Discard, io.Discard, []string{"CAMPAIGNFAKE_READY_FILE=" + name}, args...))
	ready := p.awaitReady(name)
	if response, body := ask(t, "GET", ready.ControlURL+"/health", nil); response.StatusCode != 200 {
		t.Errorf("the health of a server that is ready is %d %s", response.StatusCode, body)
	}
	if p.base = ready.BaseURL; len(p.ids("demo")) != 8 {
		t.Errorf("%s does not serve the gallery", p.base)
	}
	if want := (readyContent{ready.URL, ready.URL + "/v1", ready.URL + "/_fake", os.Getpid()}); ready != want || !strings.HasPrefix(ready.URL, "http://127.0.0.1:") {
		t.Errorf("the ready-file holds\n%+v, want\n%+v", ready, want)
	}
	p.end(syscall.SIGTERM)
	if left, err := os.ReadDir(filepath.Dir(name)); err != nil || len(left) > 0 {
		t.Errorf("there are files left: %v, %v", left, err)
	}
}

// A server that was killed leaves its file. Whoever waits for the next one must
// not find it, even if that one never starts.
func TestReadyFileOfAnEarlierServer(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "ready.json")
	killed := startProgram(t, program(t, nil, "--listen", "127.0.0.1:0", "--ready-file", name))
	killed.signal(os.Kill)
	<-killed.exited
	if _, err := os.Stat(name); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	finish(t, nil, "--listen", l.Addr().String(), "--ready-file", name).failsLike(t, 1, "in use")
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("the file of the killed server is still there (%v)", err)
	}
}

func TestReadyFileThatCannotBe(t *testing.T) {
	t.Parallel()
	fixture := file(t, "fixture.yaml", users("own", "a"))
	// A link stands for a device as well. A real one, as /dev/null, must not be
	// at the mercy of a mistake in the command when root runs the tests.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(fixture, link); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct{ name, want string }{
		"in no folder": {filepath.Join(t.TempDir(), "nowhere", "ready.json"), "no such file or directory"},
		"in a file":    {filepath.Join(fixture, "ready.json"), "not a directory"},
		"a folder":     {t.TempDir(), "is not a file"},
		"a link":       {link, "is not a file"},
		"a fixture":    {fixture, "holds something else"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			finish(t, []string{"CAMPAIGNFAKE_LISTEN=127.0.0.1:0"}, "--ready-file", tt.name).failsLike(t, 1, tt.name, tt.want)
			if text, err := os.ReadFile(fixture); err != nil || string(text) != users("own", "a") {
				t.Errorf("the fixture is now %q, %v", text, err)
			}
		})
	}
}
