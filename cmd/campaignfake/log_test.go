package main

import (
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Each request is a line in columns of fixed widths.
func TestLog(t *testing.T) {
	t.Parallel()
	const secret = "eyJhbGciOiJub25lIn0.somebodys-real-token"
	p := serve(t, nil)
	requests := []struct {
		method, path string
		header       http.Header
		want         string
	}{
		{"GET", "/api/user/campaigns", bearer("demo"), `200  GET      /api/user/campaigns   demo          +[\d.]+ms  8 campaigns`},
		{"HEAD", "/api/user/campaigns", bearer("single"), `200  HEAD     /api/user/campaigns   single        +[\d.]+ms  .*`},
		{"GET", "/api/user/campaigns", bearer(secret), `200  GET      /api/user/campaigns   eyJh…         +[\d.]+ms  unknown token.*`},
		{"GET", "/api/user/campaigns", bearer("short"), `200  GET      /api/user/campaigns   …             +[\d.]+ms  .*`},
		{"GET", "/api/user/campaigns?access_token=" + secret, nil, `401  GET      /api/user/campaigns\?access_token=…  -             +[\d.]+ms  there is no Authorization header.*`},
		{"DELETE", "/api/user/campaigns", bearer("demo"), `405  DELETE   /api/user/campaigns   demo          +[\d.]+ms  .*DELETE.*`},
		{"GET", "/a%20b%0Ac%22=%1b", nil, `404  GET      /a b c"=�             -             +[\d.]+ms  .*`},
	}
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
		if !regexp.MustCompile(`^\d\d:\d\d:\d\d\.\d{3}  ` + r.want + `$`).MatchString(lines[i]) {
			t.Errorf("a line of the log is\n%s\nwant\nTIME          %s", lines[i], r.want)
		}
	}
}

func TestQuiet(t *testing.T) {
	t.Parallel()
	p := serve(t, nil, "--quiet")
	p.list("demo")
	ask(t, "DELETE", p.root+"/nowhere", nil)
	p.end(syscall.SIGINT)
	lines := strings.Split(p.stderr.String(), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], "  /nowhere  ") || !strings.Contains(lines[1], "  WARN   summary  requests=2  unmatched=1  ") {
		t.Errorf("standard error has not just the unmatched request and the summary:\n%s", p.stderr)
	}
	p = serve(t, []string{"CAMPAIGNFAKE_QUIET=1"})
	p.list("demo")
	p.end(syscall.SIGINT)
	if p.stderr.Len() > 0 {
		t.Errorf("nothing went wrong, and standard error has\n%s", p.stderr)
	}
}

// BenchmarkLog measures what a request pays for its line in the log: at most a tenth of
// the some 30 µs that a request takes.
func BenchmarkLog(b *testing.B) {
	file, err := os.Create(filepath.Join(b.TempDir(), "log"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	log := newLog(file, false)
	line := slog.NewRecord(time.Now(), slog.LevelInfo, "request", 0)
	line.AddAttrs(slog.String("method", "GET"), slog.String("path", "/api/user/campaigns"), slog.Attr{}, slog.Int("status", 200),
		slog.String("token", "demo"), slog.Float64("duration_ms", 0.042), slog.String("reason", "8 campaigns"))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if log.Handle(b.Context(), line); i%500 == 0 { // as many as wait for each other under load
			log.write()
		}
	}
}
