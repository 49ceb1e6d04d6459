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
// the URL, the token, how long the answer took, and the reason. A status of 0 stands for no
// answer.
func writeRow(out *bytes.Buffer, r fake.Request) {
	status, duration := "-", "-"
	if r.Status != 0 {
		status = strconv.Itoa(r.Status)
	}
	if r.Duration > 0 {
		duration = strconv.FormatFloat(float64(r.Duration)/float64(time.Millisecond), 'f', 2, 64) + "ms"
	}
	out.Write(r.At.Local().AppendFormat(out.AvailableBuffer(), clock+"  "))
	column(out, status, 3)
	column(out, plain(r.Method, tokenWidth), 7)
	column(out, plain(r.URL, urlWidth), 20)
	column(out, cmp.Or(plain(r.Token, tokenWidth), "-"), 12)
	column(out, strings.Repeat(" ", max(0, 9-len(duration)))+duration, 0)
	out.WriteString(plain(r.Reason, reasonWidth) + "\n")
}

// column writes a text and the space up to the next column. A text that is wider moves what
// follows. The widths of package fmt would double what a line costs.
func column(out *bytes.Buffer, text string, width int) {
	out.WriteString(text)
	for range width - utf8.RuneCountInString(text) {
		out.WriteByte(' ')
	}
	out.WriteString("  ")
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

// requestOf returns the request that a record of package fake describes. A map of names
// would be shorter, and cost as much as all the rest of a line.
func requestOf(record slog.Record) fake.Request {
	r := fake.Request{At: record.Time}
	record.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "method":
			r.Method = a.Value.String()
		case "path":
			r.URL = a.Value.String()
		case "ignored_query": // which follows the path
			r.URL += "?" + a.Value.String()
		case "status":
			r.Status = int(a.Value.Int64())
		case "token":
			r.Token = a.Value.String()
		case "duration_ms":
			r.Duration = time.Duration(a.Value.Float64() * float64(time.Millisecond))
		case "reason":
			r.Reason = a.Value.String()
		}
		return true
	})
	return r
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
