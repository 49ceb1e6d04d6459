package main

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"log/slog"
	"os"
	"runtime"
	"slices"
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

// Colours of a terminal. Text without a colour has none.
const (
	faint  = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
	ended  = "\x1b[0m"
)

// A rows writes rows, which have columns of fixed widths. Text that is wider moves what
// follows.
type rows struct {
	bytes.Buffer
	coloured bool
}

// column writes a text, and the space up to the next column.
func (r *rows) column(text string, width int, colour string) {
	isColoured := r.coloured && colour != ""
	if isColoured {
		r.WriteString(colour)
	}
	r.WriteString(text)
	for range width - utf8.RuneCountInString(text) {
		r.WriteByte(' ')
	}
	if isColoured {
		r.WriteString(ended)
	}
	r.WriteString("  ")
}

// request writes a request: the time, the status, the method, the URL, the token, how long
// the answer took, and the reason. A status of 0 stands for no answer.
func (r *rows) request(request fake.Request) {
	status, duration := "-", "-"
	if request.Status != 0 {
		status = strconv.Itoa(request.Status)
	}
	if request.Duration > 0 {
		duration = strconv.FormatFloat(float64(request.Duration)/float64(time.Millisecond), 'f', 2, 64) + "ms"
	}
	r.column(request.At.Local().Format(clock), 12, faint)
	r.column(status, 3, colourOf(request.Status))
	r.column(plain(request.Method, tokenWidth), 7, "")
	r.column(plain(request.URL, urlWidth), 20, "")
	r.column(cmp.Or(plain(request.Token, tokenWidth), "-"), 12, "")
	r.column(strings.Repeat(" ", max(0, 9-len(duration)))+duration, 0, faint)
	r.WriteString(plain(request.Reason, reasonWidth) + "\n")
}

// colourOf returns the colour of a status. No answer has that of an error.
func colourOf(status int) string {
	switch status / 100 {
	case 2:
		return green
	case 1, 3:
		return cyan
	case 4:
		return yellow
	}
	return red
}

// mayColour reports whether an output is a terminal that shows colours. The null device is
// no terminal, though a device of the same kind. Windows would have to be asked for colours.
func (p *process) mayColour(output io.Writer) bool {
	file, ok := output.(*os.File)
	if !ok || p.getenv("NO_COLOR") != "" || p.getenv("TERM") == "dumb" || runtime.GOOS == "windows" {
		return false
	}
	info, err := file.Stat()
	null, _ := os.Stat(os.DevNull)
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && !os.SameFile(info, null)
}

// A log collects lines, and writes many at once: to write each by itself would cost a
// fifth of a request, and a request would wait for a terminal that is stopped.
type log struct {
	slog.Handler // chooses the levels; nothing here adds attributes to a logger
	out          io.Writer
	writing      chan struct{} // holds an element while lines are written

	mu   sync.Mutex
	rows rows // the lines that wait
}

const (
	logInterval = 20 * time.Millisecond // how long a line waits for others
	logBytes    = 1 << 20               // how many bytes may wait; further lines are lost
)

// newLog returns the log of a server.
func (p *process) newLog(quiet bool) *log {
	level := slog.LevelInfo
	if quiet {
		level = slog.LevelWarn
	}
	return &log{
		Handler: slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: level}), out: p.stderr,
		writing: make(chan struct{}, 1), rows: rows{coloured: p.mayColour(p.stderr)},
	}
}

// write writes the lines that wait.
func (l *log) write() {
	l.writing <- struct{}{}
	defer func() { <-l.writing }()
	l.mu.Lock()
	lines := bytes.Clone(l.rows.Bytes())
	l.rows.Reset()
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
	if l.rows.Len() == 0 {
		time.AfterFunc(logInterval, l.write)
	}
	switch {
	case l.rows.Len() > logBytes:
	case record.Message == "request":
		l.rows.request(requestOf(record))
	default:
		l.rows.record(record)
	}
	return nil
}

// record writes a record that is no request.
func (r *rows) record(record slog.Record) {
	colour := red
	switch {
	case record.Level < slog.LevelWarn:
		colour = cyan
	case record.Level < slog.LevelError:
		colour = yellow
	}
	r.column(record.Time.Local().Format(clock), 12, faint)
	r.column(record.Level.String(), 5, colour)
	r.WriteString(printable(record.Message))
	record.Attrs(func(a slog.Attr) bool {
		r.WriteString("  " + a.Key + "=" + printable(strings.Join(strings.Fields(a.Value.String()), " ")))
		return true
	})
	r.WriteByte('\n')
}

// logged are the attributes of a request in the log.
var logged = []string{"method", "path", "ignored_query", "status", "token", "duration_ms", "reason"}

// requestOf returns the request that a record describes.
func requestOf(record slog.Record) fake.Request {
	var values [7]slog.Value
	record.Attrs(func(a slog.Attr) bool {
		if i := slices.Index(logged, a.Key); i >= 0 {
			values[i] = a.Value
		}
		return true
	})
	url := values[1].String()
	if query := values[2]; query.Kind() == slog.KindString {
		url += "?" + query.String()
	}
	return fake.Request{
		At: record.Time, Method: values[0].String(), URL: url, Status: int(values[3].Int64()), Token: values[4].String(),
		Duration: time.Duration(values[5].Float64() * float64(time.Millisecond)), Reason: values[6].String(),
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
