package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strconv"
	"time"
	"unicode/utf8"

	"example.com/campaignfake/fake"
)

// A row describes a request in columns: the time, the status, the method, the URL, the
// token, how long the answer took, and the reason.
type row [7]string

// newRow returns the row of a request. A status of 0 stands for no answer.
func newRow(r fake.Request) row {
	code, length := "-", fmt.Sprintf("%10s", "-")
	if r.Status != 0 {
		code = strconv.Itoa(r.Status)
	}
	if r.Duration > 0 {
		length = fmt.Sprintf("%8.2fms", float64(r.Duration)/float64(time.Millisecond))
	}
	const urlWidth, reasonWidth = 80, 400
	return row{
		r.At.Local().Format(clock), code, plain(r.Method, tokenWidth), plain(r.URL, urlWidth),
		cmp.Or(plain(r.Token, tokenWidth), "-"), length, plain(r.Reason, reasonWidth),
	}
}

// clock is the format of times of the day.
const clock = "15:04:05.000"

// A table aligns the columns of rows. The last column has no width.
type table struct {
	coloured bool
	widths   [6]int // of the columns so far
}

// widen makes room for a row.
func (t *table) widen(r row) {
	for i := range t.widths {
		t.widths[i] = max(t.widths[i], utf8.RuneCountInString(r[i]))
	}
}

// write writes a row as a line.
func (t *table) write(out *bytes.Buffer, r row) {
	for i, width := range t.widths {
		text := fmt.Sprintf("%-*s", width, r[i])
		switch i {
		case 0, 5:
			text = t.colour(faint, text)
		case 1:
			text = t.colour(colourOf(r[i]), text)
		}
		out.WriteString(text + "  ")
	}
	out.WriteString(r[len(t.widths)] + "\n")
}

// Colours of a terminal.
const (
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// colour colours text if the table has colours.
func (t *table) colour(code, text string) string {
	if !t.coloured {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// colourOf returns the colour of a status. No answer has that of an error.
func colourOf(status string) string {
	switch status[0] {
	case '2':
		return green
	case '1', '3':
		return cyan
	case '4':
		return yellow
	}
	return red
}

// isTerminal reports whether a file is a terminal.
func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// mayColour reports whether a file is a terminal that shows colours. Windows would
// have to be asked for them.
func mayColour(file *os.File) bool {
	return isTerminal(file) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && runtime.GOOS != "windows"
}

// A columnsHandler formats the records of requests as rows of a table, and other
// records as a line with the time, the level, the message and its attributes.
type columnsHandler struct {
	out   io.Writer
	table *table
	text  slog.Handler  // formats the attributes of other records
	attrs *bytes.Buffer // to which it writes
}

func newColumnsHandler(out io.Writer, coloured bool, level slog.Leveler) columnsHandler {
	attrs := new(bytes.Buffer)
	text := slog.NewTextHandler(attrs, &slog.HandlerOptions{Level: level, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
			return slog.Attr{}
		}
		return a
	}})
	return columnsHandler{out, &table{coloured: coloured}, text, attrs}
}

func (h columnsHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.text.Enabled(ctx, level)
}

// Handle is called by one goroutine at a time, that of the queue.
func (h columnsHandler) Handle(ctx context.Context, record slog.Record) error {
	var line bytes.Buffer
	if record.Message == "request" {
		r := requestRow(record)
		h.table.widen(r)
		h.table.write(&line, r)
	} else {
		h.attrs.Reset()
		if err := h.text.Handle(ctx, record); err != nil {
			return err
		}
		code := red
		switch {
		case record.Level < slog.LevelWarn:
			code = cyan
		case record.Level < slog.LevelError:
			code = yellow
		}
		level := h.table.colour(code, fmt.Sprintf("%-5s", record.Level))
		fmt.Fprintf(&line, "%s  %s  %s  %s", h.table.colour(faint, record.Time.Local().Format(clock)), level, printable(record.Message), h.attrs)
	}
	_, err := h.out.Write(line.Bytes())
	return err
}

// requestRow returns the row of a request in the log. Attributes that have no column
// are added to the reason.
func requestRow(record slog.Record) row {
	r := fake.Request{At: record.Time}
	var query, more string
	record.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "status":
			r.Status = int(a.Value.Int64())
		case "method":
			r.Method = a.Value.String()
		case "path":
			r.URL = a.Value.String()
		case "ignored_query":
			query = "?" + a.Value.String()
		case "token":
			r.Token = a.Value.String()
		case "duration_ms":
			r.Duration = time.Duration(a.Value.Float64() * float64(time.Millisecond))
		case "reason":
			r.Reason = a.Value.String()
		case "": // an attribute that is left out
		default:
			more += fmt.Sprintf("; %s=%s", a.Key, a.Value)
		}
		return true
	})
	r.URL, r.Reason = r.URL+query, r.Reason+more
	return newRow(r)
}

func (h columnsHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.text = h.text.WithAttrs(attrs)
	return h
}

func (h columnsHandler) WithGroup(name string) slog.Handler {
	h.text = h.text.WithGroup(name)
	return h
}
