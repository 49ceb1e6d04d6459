package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// await waits until the answer of the control plane contains a text.
func (p *server) await(path, text string) {
	p.t.Helper()
	for !strings.Contains(p.control(path), text) {
		select {
		case <-p.exited:
			p.t.Fatalf("the server ended with status %d before its %s had %q", p.code, path, text)
		default:
			runtime.Gosched()
		}
	}
}

// rewrite writes a file anew.
func rewrite(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// An edit takes effect by itself; a bad one changes nothing but what the health and the log say.
func TestWatch(t *testing.T) {
	t.Parallel()
	name := file(t, "users.yaml", "users: {a: {}}\n")
	p := serve(t, nil, name, "--unknown-tokens", "reject")
	rewrite(t, name, "users: {a: {}, b: {}}\n")
	p.await("users", `"token":"b"`)
	rewrite(t, name, "users: {a: {}, b: {delay: 7}}\n")
	p.await("health", "users.yaml:1:27: users.b.delay: ")
	p.ids("b")
	const message = "  ERROR  the fixtures could not be reloaded, and the last good ones " +
		"are served  error="
	log := p.end(syscall.SIGTERM, 0)
	if !strings.Contains(log, message) || !strings.Contains(log, "users.b.delay: ") {
		t.Errorf("the log does not have the mistake:\n%s", log)
	}
}

// A sharedLog is a log that is read while it is written.
type sharedLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *sharedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *sharedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Several changed files are loaded together, when no file has changed for one interval. Nothing is
// loaded without a change.
func TestWatchWaitsForTheRest(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	save := func(name string) { rewrite(t, filepath.Join(folder, name), users("own", name)) }
	save("a.yaml")
	synctest.Test(t, func(t *testing.T) {
		var log sharedLog
		flags := logFlags{LogFormat: formatText}
		logger := slog.New(flags.handler(&log, true))
		c := &serveCommand{Fixtures: []string{folder}}
		call := newCall(t.Context(), testProcess(io.Discard, io.Discard, nil))
		s, err := c.newServing(call, logger)
		if err != nil {
			t.Fatal(err)
		}
		defer s.server.Close()
		const interval = time.Second
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			s.watch(ctx, interval)
		}()

		time.Sleep(interval / 2)
		for _, name := range []string{"b.yaml", "c.yaml", "d.yaml"} { // at 0.5, 1.5 and 2.5 s
			save(name)
			time.Sleep(interval)
		}
		if text := log.String(); text != "" {
			t.Errorf("while files change, the log has\n%s", text)
		}
		time.Sleep(10 * interval)
		stop()
		<-ended
		lines := strings.Split(log.String(), "\n")
		if len(lines) != 2 ||
			!strings.HasSuffix(lines[0], "  INFO   the fixtures were reloaded  users=4") {
			t.Errorf("the log has\n%s", log.String())
		}
		if at, _, _ := strings.Cut(lines[0], "  "); !strings.HasSuffix(at, ":04.000") {
			t.Errorf("the files are loaded at %s, want one interval after the change was seen", at)
		}
	})
}
