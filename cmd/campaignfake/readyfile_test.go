package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// writtenURLs are the content of a ready-file, as programs read it.
type writtenURLs struct {
	URL        string `json:"url"`
	BaseURL    string `json:"base_url"`
	ControlURL string `json:"control_url"`
	PID        int    `json:"pid"`
}

// awaitReady reads the ready-file in the moment in which it appears. It looks without a pause, so
// that it would notice a file that is incomplete for a moment.
func (p *server) awaitReady(name string) (ready writtenURLs) {
	p.t.Helper()
	for {
		text, err := os.ReadFile(name)
		if err == nil && len(text) > 0 { // an empty file is the file of mktemp
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

// The file says where a server is that answers already, even if nobody reads its banner.
func TestReadyFile(t *testing.T) {
	t.Parallel()
	name := file(t, "tmp.XXXX", "") // an empty file, as mktemp makes it
	// Listens on all interfaces, since the file then has to name an address that clients can reach.
	args := []string{"--listen", "0.0.0.0:0", "--base-path", "/v1"}
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	read, stdout := io.Pipe()
	defer read.Close()
	env := []string{"CAMPAIGNFAKE_READY_FILE=" + name}
	run := func() int {
		return run(ctx, testProcess(stdout, io.Discard, env, args...))
	}
	p := launch(t, new(bytes.Buffer), run, func(os.Signal) error {
		cancel()
		return nil
	})
	ready := p.awaitReady(name)
	p.base = ready.BaseURL
	if len(p.ids("demo")) != 8 {
		t.Errorf("%s does not serve the gallery", p.base)
	}
	want := writtenURLs{
		URL:        ready.URL,
		BaseURL:    ready.URL + "/v1",
		ControlURL: ready.URL + "/_fake",
		PID:        os.Getpid(),
	}
	if ready != want || !strings.HasPrefix(ready.URL, "http://127.0.0.1:") {
		t.Errorf("the ready-file holds\n%+v, want\n%+v", ready, want)
	}
	p.end(syscall.SIGTERM, 0)
	if left, err := os.ReadDir(filepath.Dir(name)); err != nil || len(left) > 0 {
		t.Errorf("there are files left: %v, %v", left, err)
	}
}

// A server that ends removes its file once, so that the file of the next server stays. A second
// signal, as a terminal and npx send it, changes nothing.
func TestReadyFileOfTheNextServer(t *testing.T) {
	t.Parallel()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.NewResponseController(w).Flush()
		<-r.Context().Done() // an answer that has begun keeps the server for half a second
	}))
	t.Cleanup(api.Close)
	name := filepath.Join(t.TempDir(), "ready.json")
	p := startProgram(t, program(t, nil, "--ready-file", name, "--upstream", api.URL))
	answer, err := http.Post(p.root+"/api/login", "text/plain", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	p.signal(os.Interrupt)
	isThere := true
	for isThere {
		_, err := os.Stat(name)
		isThere = err == nil
		runtime.Gosched()
	}
	p.signal(os.Interrupt)
	write(t, filepath.Dir(name), filepath.Base(name), "of the next server")
	<-p.exited
	if p.code != 0 {
		t.Errorf("the status is %d", p.code)
	}
	if _, err := os.Stat(name); err != nil {
		t.Errorf("the file of the next server was removed: %v", err)
	}
}

// A server that was killed leaves its file. A program that waits for the next server must not find
// this file, even if the next server never starts.
func TestReadyFileOfAnEarlierServer(t *testing.T) {
	t.Parallel()
	name := file(t, "ready.json", string(readyText("http://127.0.0.1:1", "http://127.0.0.1:1/api")))
	finish(t, nil, "--listen=192.0.2.1:0", "--ready-file", name).failsLike(t, 1, "192.0.2.1")
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("the file of the killed server is still there (%v)", err)
	}
}

// The server overwrites or removes no file that a server has not written.
func TestReadyFileThatIsSomethingElse(t *testing.T) {
	t.Parallel()
	config := file(t, "config.json", `{"base":"/api"}`)
	// A link stands for a device as well. Without it, a mistake in the command could remove a real
	// device, such as /dev/null, when root runs the tests.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(file(t, "empty", ""), link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{config, link, filepath.Dir(config)} {
		finish(t, nil, "--ready-file", name).failsLike(t, 1, "--ready-file: "+name+
			" is there already, and is no file that the server has written; name another")
		if _, err := os.Lstat(name); err != nil {
			t.Errorf("it is lost: %v", err)
		}
	}
}

// The error about a file that cannot be written names the variable, and no file is left.
func TestReadyFileThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	nowhere := filepath.Join(t.TempDir(), "nowhere", "ready.json")
	finish(t, []string{"CAMPAIGNFAKE_READY_FILE=" + nowhere}).failsLike(t, 1,
		"CAMPAIGNFAKE_READY_FILE: ",
		"no such file or directory; name a file that this user can write, in a folder that exists")

	folder := filepath.Join(t.TempDir(), "taken meanwhile")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := (readyFile{name: folder}).write("", ""); err == nil {
		t.Error("a folder is replaced by a file")
	}
	if left, err := os.ReadDir(filepath.Dir(folder)); err != nil || len(left) != 1 {
		t.Errorf("there are files left: %v, %v", left, err)
	}
}
