package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"unicode/utf8"

	"example.com/campaignfake/fake/journal"
)

// How long the texts of a row can be.
const (
	tokenWidth  = 40
	urlWidth    = 80
	reasonWidth = 400

	durationWidth = 9 // at least
)

// lineBytes is how long most lines are at most.
const lineBytes = 256

// A textHandler writes records for people, each as one line: a request in columns, and any other
// record with its level, message and attributes.
type textHandler struct {
	out   io.Writer
	level slog.Level
	times string // the layout of times
}

// newTextHandler returns a handler of records that have at least a level.
func newTextHandler(out io.Writer, level slog.Level, dated bool) *textHandler {
	h := &textHandler{
		out:   out,
		level: level,
		times: "15:04:05.000",
	}
	if dated {
		h.times = "2006-01-02 15:04:05.000"
	}
	return h
}

// Enabled returns whether records of a level are written.
func (h *textHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= h.level
}

// WithAttrs returns the handler as it is: nothing here adds attributes to a logger.
func (h *textHandler) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup returns the handler as it is: nothing here puts attributes into groups.
func (h *textHandler) WithGroup(string) slog.Handler { return h }

// Handle writes a record.
func (h *textHandler) Handle(_ context.Context, record slog.Record) error {
	line := make([]byte, 0, lineBytes)
	line = record.Time.Local().AppendFormat(line, h.times)
	if record.Message == journal.LogMessage {
		line = appendRequest(line, record)
	} else {
		line = appendMessage(line, record)
	}
	_, err := h.out.Write(append(line, '\n'))
	return err
}

// appendMessage appends a record that is no request: its level, its message and its attributes.
func appendMessage(line []byte, record slog.Record) []byte {
	line = fmt.Appendf(line, "  %-5s  %s", record.Level, printable(record.Message))
	record.Attrs(func(a slog.Attr) bool {
		line = fmt.Appendf(line, "  %s=%s", a.Key, oneLine(a.Value.String()))
		return true
	})
	return line
}

// appendRequest appends a request, in columns of fixed widths: the status, the method, the URL, the
// token, how long the answer took, and the reason. A dash stands for a value that is missing.
func appendRequest(line []byte, record slog.Record) []byte {
	status := "-"
	duration := "-"
	var method, url, token, reason string
	record.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "method":
			method = a.Value.String()
		case "path":
			url = a.Value.String()
		case "ignored_query": // its attribute follows that of the path
			url += "?" + a.Value.String()
		case "status":
			if code := a.Value.Int64(); code != 0 {
				status = strconv.FormatInt(code, 10)
			}
		case "token":
			token = a.Value.String()
		case "duration_ms":
			if length := a.Value.Float64(); length > 0 {
				duration = strconv.FormatFloat(length, 'f', 2, 64) + "ms"
			}
		case "reason":
			reason = a.Value.String()
		}
		return true
	})

	line = append(line, "  "...)
	line = appendColumn(line, status, 3)
	line = appendColumn(line, plain(method, tokenWidth), 7)
	line = appendColumn(line, plain(url, urlWidth), 20)
	line = appendColumn(line, cmp.Or(plain(token, tokenWidth), "-"), 12)
	for range durationWidth - len(duration) { // numbers end below each other
		line = append(line, ' ')
	}
	line = appendColumn(line, duration, 0)
	return append(line, plain(reason, reasonWidth)...)
}

// appendColumn appends a text and the space up to the next column. A text that is wider
// moves what follows. The widths of package fmt would double what a line costs.
func appendColumn(line []byte, text string, width int) []byte {
	line = append(line, text...)
	for range width - utf8.RuneCountInString(text) {
		line = append(line, ' ')
	}
	return append(line, "  "...)
}
