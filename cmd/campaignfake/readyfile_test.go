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

// awaitReady reads the ready-file in the moment in which it appears. It looks
// without a pause, since a file that is there for a moment before it is whole
// would be missed otherwise.
func (p *server) awaitReady(name string) (ready writtenURLs) {
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
	env := []string{"CAMPAIGNFAKE_READY_FILE=" + name}
	run := func() int {
		return run(ctx, testProcess(io.Discard, io.Discard, env, args...))
	}
	p := launch(t, new(bytes.Buffer), run, func(os.Signal) error {
		cancel()
		return nil
	})
	ready := p.awaitReady(name)
	response, body := ask(t, "GET", ready.ControlURL+"/health", nil)
	if response.StatusCode != 200 {
		t.Errorf("the health of a server that is ready is %d %s", response.StatusCode, body)
	}
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

// A server that ends is not ready any more, even while an answer is still under way.
func TestReadyFileGoesBeforeTheLastAnswer(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.NewResponseController(w).Flush() // an answer that has begun may finish
		<-release
	}))
	t.Cleanup(api.Close)
	name := filepath.Join(t.TempDir(), "ready.json")
	p := serve(t, nil, "--ready-file", name, "--upstream", api.URL)
	p.awaitReady(name)
	answer, err := http.Post(p.root+"/api/login", "text/plain", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := p.signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	isThere := true
	for isThere {
		_, err := os.Stat(name)
		isThere = err == nil
		runtime.Gosched()
	}
	write(t, filepath.Dir(name), filepath.Base(name), "of the next server")
	close(release)
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		t.Errorf("the file is there until the answer is cut off: %v", err)
	}
	p.end(syscall.SIGTERM, 0)
	if _, err := os.Stat(name); err != nil {
		t.Errorf("the file of the next server was removed: %v", err)
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

// A file that the server has not written is not lost, whatever it is.
func TestReadyFileThatIsSomethingElse(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	fixture := file(t, "fixture.yaml", users("own", "a"))
	// A link stands for a device as well. A real one, as /dev/null, must not be
	// at the mercy of a mistake in the command when root runs the tests.
	link := filepath.Join(folder, "link")
	if err := os.Symlink(fixture, link); err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{
		"a file of fixtures":  fixture,
		"an object in JSON":   file(t, "package.json", `{"name": "app"}`),
		"nearly a ready-file": file(t, "config.json", `{"base":"/api"}`),
		"a folder":            folder,
		"a link":              link,
	}
	for name, path := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, _ := os.ReadFile(path) // which fails for a folder, before and after
			got := finish(t, nil, "--ready-file", path)
			got.failsLike(t, 1,
				"--ready-file: "+path+
					" is there already, and is no file that the server has written; name another")
			if after, _ := os.ReadFile(path); !bytes.Equal(after, before) {
				t.Errorf("the file has now %q", after)
			}
		})
	}
}

// What keeps a file from being written is told with the flag or the variable, and nothing is left.
func TestReadyFileThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	const instead = "; name a file that this user can write, in a folder that exists"
	for path, problem := range map[string]string{
		filepath.Join(t.TempDir(), "nowhere", "ready.json"):      "no such file or directory",
		filepath.Join(file(t, "fixture.yaml", ""), "ready.json"): "not a directory",
	} {
		finish(t, nil, "--ready-file", path).failsLike(t, 1, "--ready-file: ", problem+instead)
		variable := []string{"CAMPAIGNFAKE_READY_FILE=" + path}
		finish(t, variable).failsLike(t, 1, "CAMPAIGNFAKE_READY_FILE: ", problem+instead)
	}
}
