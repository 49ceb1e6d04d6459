package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"example.com/campaignfake/fake"
)

// How long the texts of a row can be.
const (
	tokenWidth  = 40
	urlWidth    = 80
	reasonWidth = 400
)

// clock is the format of times of the day.
const clock = "15:04:05.000"

// writeRow writes a request in columns of fixed widths: the time, the status, the method,
// the URL, the token, how long the answer took, and the reason. A text that is wider than
// its column moves what follows. A status of 0 stands for no answer.
func writeRow(out io.Writer, r fake.Request) {
	status, duration := "-", "-"
	if r.Status != 0 {
		status = strconv.Itoa(r.Status)
	}
	if r.Duration > 0 {
		duration = strconv.FormatFloat(float64(r.Duration)/float64(time.Millisecond), 'f', 2, 64) + "ms"
	}
	fmt.Fprintf(out, "%s  %-3s  %-7s  %-20s  %-12s  %9s  %s\n", r.At.Local().Format(clock), status,
		plain(r.Method, tokenWidth), plain(r.URL, urlWidth), cmp.Or(plain(r.Token, tokenWidth), "-"), duration, plain(r.Reason, reasonWidth))
}

// A log collects lines, and writes many at once: to write each by itself would cost a
// fifth of a request, and a request would wait for a terminal that is stopped.
type log struct {
	slog.Handler // chooses the levels; nothing here adds attributes to a logger
	out          io.Writer
	writing      chan struct{} // holds an element while lines are written

	mu    sync.Mutex
	lines bytes.Buffer // those that wait
}

const (
	logInterval = 20 * time.Millisecond // how long a line waits for others
	logBytes    = 1 << 20               // how many bytes may wait; further lines are lost
)

// newLog returns the log of a server. A quiet one has only what went wrong.
func newLog(out io.Writer, quiet bool) *log {
	level := slog.LevelInfo
	if quiet {
		level = slog.LevelWarn
	}
	levels := slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: level})
	return &log{Handler: levels, out: out, writing: make(chan struct{}, 1)}
}

// write writes the lines that wait.
func (l *log) write() {
	l.writing <- struct{}{}
	defer func() { <-l.writing }()
	l.mu.Lock()
	lines := bytes.Clone(l.lines.Bytes())
	l.lines.Reset()
	l.mu.Unlock()
	if len(lines) > 0 { // close may have written them
		l.out.Write(lines)
	}
}

// close writes the lines that wait, unless that takes long: nobody may read a pipe that is
// full.
func (l *log) close() {
	written := make(chan struct{})
	go func() {
		l.write()
		close(written)
	}()
	select {
	case <-written:
	case <-time.After(2 * time.Second):
	}
}

// Handle adds a line: a request as a row, and anything else with its level, message and
// attributes.
func (l *log) Handle(_ context.Context, record slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lines.Len() == 0 {
		time.AfterFunc(logInterval, l.write)
	}
	switch {
	case l.lines.Len() > logBytes:
	case record.Message == "request":
		writeRow(&l.lines, requestOf(record))
	default:
		fmt.Fprintf(&l.lines, "%s  %-5s  %s", record.Time.Local().Format(clock), record.Level, printable(record.Message))
		record.Attrs(func(a slog.Attr) bool {
			fmt.Fprintf(&l.lines, "  %s=%s", a.Key, printable(strings.Join(strings.Fields(a.Value.String()), " ")))
			return true
		})
		l.lines.WriteByte('\n')
	}
	return nil
}

// requestOf returns the request that a record describes.
func requestOf(record slog.Record) fake.Request {
	values := make(map[string]slog.Value, record.NumAttrs())
	record.Attrs(func(a slog.Attr) bool {
		values[a.Key] = a.Value
		return true
	})
	url := values["path"].String()
	if query, found := values["ignored_query"]; found {
		url += "?" + query.String()
	}
	return fake.Request{
		At: record.Time, Method: values["method"].String(), URL: url, Status: int(values["status"].Int64()),
		Token: values["token"].String(), Duration: time.Duration(values["duration_ms"].Float64() * float64(time.Millisecond)),
		Reason: values["reason"].String(),
	}
}

// plain shortens text to a width on one line, without control characters, which could
// change the terminal.
func plain(text string, width int) string {
	if len(text) <= width && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return text
	}
	runes := []rune(printable(strings.Join(strings.Fields(text), " ")))
	if len(runes) <= width {
		return string(runes)
	}
	return string(runes[:width-1]) + "…"
}

// printable replaces control characters, which could change the terminal: parts of a
// message can come from a server or a file.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !strconv.IsPrint(r) {
			return utf8.RuneError
		}
		return r
	}, text)
}
