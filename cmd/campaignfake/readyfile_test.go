package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

type readyContent struct {
	URL        string `json:"url"`
	BaseURL    string `json:"base_url"`
	ControlURL string `json:"control_url"`
	PID        int    `json:"pid"`
}

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
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	p := launch(t, new(bytes.Buffer), func() int {
		return run(ctx, testProcess(io.Discard, io.Discard, []string{"CAMPAIGNFAKE_READY_FILE=" + name}, args...))
	}, func(os.Signal) error { cancel(); return nil })
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
	p.end(syscall.SIGTERM, 0)
	if left, err := os.ReadDir(filepath.Dir(name)); err != nil || len(left) > 0 {
		t.Errorf("there are files left: %v, %v", left, err)
	}
}

// A server that was killed leaves its file. Whoever waits for the next one must
// not find it, even if that one never starts.
func TestReadyFileOfAnEarlierServer(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "ready.json")
	startProgram(t, program(t, nil, "--ready-file", name)).end(os.Kill, -1)
	if _, err := os.Stat(name); err != nil {
		t.Fatal(err)
	}
	taken := strings.TrimPrefix(serve(t, nil).root, "http://")
	finish(t, nil, "--listen", taken, "--ready-file", name).failsLike(t, 1, "in use")
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("the file of the killed server is still there (%v)", err)
	}
}
