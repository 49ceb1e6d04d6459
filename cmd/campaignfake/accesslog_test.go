package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// textLine reads a line of the text format: key=value, the value quoted if it
// has to be.
func textLine(t *testing.T, line string) map[string]string {
	t.Helper()
	values := make(map[string]string)
	for rest := line; rest != ""; {
		key, value, found := strings.Cut(rest, "=")
		if !found {
			t.Fatalf("there is no value after %q in %s", rest, line)
		}
		if strings.HasPrefix(value, `"`) {
			quoted, err := strconv.QuotedPrefix(value)
			if err != nil {
				t.Fatalf("%v in %s", err, line)
			}
			values[key], _ = strconv.Unquote(quoted)
			rest = strings.TrimPrefix(value[len(quoted):], " ")
		} else {
			values[key], rest, _ = strings.Cut(value, " ")
		}
	}
	return values
}

// jsonLine reads a line of the JSON format. Numbers keep their digits.
func jsonLine(t *testing.T, line string) map[string]string {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &fields); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	values := make(map[string]string)
	for key, raw := range fields {
		values[key] = string(raw)
		if raw[0] == '"' {
			var text string
			if err := json.Unmarshal(raw, &text); err != nil {
				t.Fatal(err)
			}
			values[key] = text
		}
	}
	return values
}

func TestAccessLog(t *testing.T) {
	t.Parallel()
	const secret = "eyJhbGciOiJub25lIn0.somebodys-real-token"
	requests := []struct {
		method, path string
		header       http.Header
		want         map[string]string
	}{
		{"GET", "/api/user/campaigns", bearer("demo"), map[string]string{"path": "/api/user/campaigns", "status": "200", "token": "demo", "reason": "8 campaigns", "level": "INFO"}},
		{"HEAD", "/api/user/campaigns", bearer("single"), map[string]string{"status": "200", "token": "single"}},
		{"GET", "/api/user/campaigns", bearer(secret), map[string]string{"status": "200", "token": "eyJh…", "reason": "unknown token"}},
		{"GET", "/api/user/campaigns", bearer("short"), map[string]string{"status": "200", "token": "…"}},
		{"GET", "/api/user/campaigns?access_token=" + secret, nil, map[string]string{"path": "/api/user/campaigns", "ignored_query": "access_token=…", "status": "401", "token": "", "reason": "there is no Authorization header"}},
		{"DELETE", "/api/user/campaigns", bearer("demo"), map[string]string{"status": "405", "token": "demo", "reason": "DELETE", "level": "WARN"}},
		{"GET", "/a%20b%0Ac%22=%1b", nil, map[string]string{"path": "/a b\nc\"=\x1b", "status": "404", "level": "WARN"}},
	}
	formats := map[string]struct {
		env, args []string
		parse     func(*testing.T, string) map[string]string
	}{
		"text by default":  {nil, nil, textLine},
		"text":             {nil, []string{"--log-format", "text"}, textLine},
		"json":             {nil, []string{"--log-format", "json"}, jsonLine},
		"json by variable": {[]string{"CAMPAIGNFAKE_LOG_FORMAT=json"}, nil, jsonLine},
	}
	for name, format := range formats {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, format.env, format.args...)
			for _, r := range requests {
				ask(t, r.method, p.root+r.path, r.header)
				// What is no part of the service is not logged either.
				ask(t, "GET", p.root+"/_fake/health", nil)
			}
			p.end(syscall.SIGTERM)
			log := p.stderr.String()
			if strings.Contains(log, secret) || strings.Contains(log, "short") {
				t.Errorf("the log gives a token away that no user has:\n%s", log)
			}
			lines := strings.Split(strings.TrimSuffix(log, "\n"), "\n")
			if len(lines) != len(requests)+1 { // and the summary
				t.Fatalf("the log has %d lines for %d requests and a summary:\n%s", len(lines), len(requests), log)
			}
			for i, r := range requests {
				values := format.parse(t, lines[i])
				if values["method"] != r.method {
					t.Errorf("the method is %q, want %s, in %s", values["method"], r.method, lines[i])
				}
				for key, want := range r.want {
					if got, ok := values[key]; !ok || got != want && (key != "reason" || !strings.Contains(got, want)) {
						t.Errorf("%s is %q, want %q, in %s", key, got, want, lines[i])
					}
				}
				if d, err := strconv.ParseFloat(values["duration_ms"], 64); err != nil || d <= 0 {
					t.Errorf("the duration is %q (%v) in %s", values["duration_ms"], err, lines[i])
				}
				if _, err := time.Parse(time.RFC3339, values["time"]); err != nil {
					t.Errorf("%v in %s", err, lines[i])
				}
			}
		})
	}
}

func TestQuiet(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ env, args []string }{
		"flag":     {nil, []string{"--quiet"}},
		"variable": {[]string{"CAMPAIGNFAKE_QUIET=1"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, tt.env, tt.args...)
			p.list("demo")
			ask(t, "DELETE", p.root+"/nowhere", nil)
			p.end(syscall.SIGINT)
			lines := strings.Split(p.stderr.String(), "\n")
			if len(lines) != 3 || textLine(t, lines[0])["path"] != "/nowhere" || textLine(t, lines[1])["msg"] != "summary" {
				t.Errorf("standard error has not just the unmatched request and the summary:\n%s", p.stderr)
			}
			p = serve(t, tt.env, tt.args...)
			p.list("demo")
			p.end(syscall.SIGINT)
			if p.stderr.Len() > 0 {
				t.Errorf("nothing went wrong, and standard error has\n%s", p.stderr)
			}
		})
	}
}

// A gate is a writer that blocks while it is shut.
type gate struct {
	open chan struct{} // closed, or able to give one pass

	mu   sync.Mutex
	text bytes.Buffer
	size []int // of each write
}

func (g *gate) Write(p []byte) (int, error) {
	<-g.open
	g.mu.Lock()
	defer g.mu.Unlock()
	g.size = append(g.size, len(p))
	return g.text.Write(p)
}

// logTo returns a logger whose lines are their messages, and its queue.
func logTo(w io.Writer) (*slog.Logger, *logQueue) {
	q := newLogQueue(w, func(out io.Writer) slog.Handler {
		return slog.NewTextHandler(out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key != slog.MessageKey && a.Key != "lines" {
				return slog.Attr{}
			}
			return a
		}})
	})
	return q.logger(), q
}

func TestLogQueueBatches(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		close(g.open)
		log, q := logTo(g)
		for range 3 {
			log.Info("line")
			synctest.Wait() // whatever is done with a line at once has been done
		}
		time.Sleep(logInterval)
		synctest.Wait()
		if len(g.size) != 1 || g.text.String() != "msg=line\nmsg=line\nmsg=line\n" {
			t.Errorf("after %v the writer has %d batches: %q", logInterval, len(g.size), g.text.String())
		}
		log.Info("later")
		time.Sleep(logInterval)
		synctest.Wait()
		if len(g.size) != 2 || !strings.HasSuffix(g.text.String(), "msg=later\n") {
			t.Errorf("the second batch is missing: %q", g.text.String())
		}
		q.Close()
	})
}

// Close writes at once what was waiting for more.
func TestLogQueueClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		close(g.open)
		log, q := logTo(g)
		began := time.Now()
		log.Info("last")
		synctest.Wait()
		q.Close()
		if got := g.text.String(); got != "msg=last\n" {
			t.Errorf("the writer has %q after Close", got)
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("Close took %v, though nothing was in its way", took)
		}
	})
}

// A writer that blocks holds up nobody who logs; what waits for it is bounded, and
// what is lost is counted where it is missing.
func TestLogQueueWhoseWriterBlocks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		log, q := logTo(g)
		log.Info("first")
		time.Sleep(logInterval)
		synctest.Wait() // the writer is blocked with the first line

		const fit, more = logBytes / 1024, 7
		text := strings.Repeat("x", 1024-len("msg=\n"))
		began := time.Now()
		for range fit + more {
			log.Info(text)
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("those who log were held up for %v", took)
		}
		g.open <- struct{}{} // the first line passes
		time.Sleep(logInterval)
		synctest.Wait()
		g.open <- struct{}{} // so does what waited
		synctest.Wait()
		log.Info("after")
		close(g.open)
		q.Close()
		want := "msg=first\n" + strings.Repeat("msg="+text+"\n", fit) +
			"msg=\"lines were lost here, since standard error was too slow\" lines=7\n" + "msg=after\n"
		if got := g.text.String(); got != want {
			t.Errorf("the writer has %d bytes, want %d; the end is %q", len(got), len(want), got[max(0, len(got)-200):])
		}
	})
}

// Close does not wait for ever for a writer that stays blocked: the process has to
// end.
func TestLogQueueWhoseWriterStaysBlocked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		log, q := logTo(g)
		log.Info("first")
		began := time.Now()
		q.Close()
		if took := time.Since(began); took != logTimeout {
			t.Errorf("Close took %v, want %v", took, logTimeout)
		}
		close(g.open) // for the goroutine, which has to end with the test
		synctest.Wait()
		if got := g.text.String(); got != "msg=first\n" {
			t.Errorf("the writer has %q once it is free", got)
		}
	})
}

func TestLogQueueFromManySides(t *testing.T) {
	t.Parallel()
	g := &gate{open: make(chan struct{})}
	close(g.open)
	log, q := logTo(g)
	const sides, lines = 8, 200
	var all sync.WaitGroup
	for side := range sides {
		all.Go(func() {
			for range lines {
				log.Info(strings.Repeat(strconv.Itoa(side), 50))
			}
		})
	}
	all.Wait()
	q.Close()
	got := bufio.NewScanner(&g.text)
	count := 0
	for got.Scan() {
		if line := strings.TrimPrefix(got.Text(), "msg="); line != strings.Repeat(line[:1], 50) {
			t.Errorf("lines are mixed: %q", line)
		}
		count++
	}
	if count != sides*lines {
		t.Errorf("%d lines came through, want %d", count, sides*lines)
	}
}

// A writer that fails once is written to again.
func TestLogQueueWhoseWriterFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &failingOnce{}
		log, q := logTo(w)
		log.Info("lost")
		time.Sleep(logInterval)
		synctest.Wait()
		log.Info("written")
		q.Close()
		if got := w.text.String(); got != "msg=written\n" {
			t.Errorf("the writer has %q", got)
		}
	})
}

// failingOnce is a writer whose first Write fails.
type failingOnce struct {
	failed bool
	text   bytes.Buffer
}

func (f *failingOnce) Write(p []byte) (int, error) {
	if !f.failed {
		f.failed = true
		return 0, syscall.EAGAIN
	}
	return f.text.Write(p)
}
