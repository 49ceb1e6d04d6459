package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"time"

	"example.com/campaignfake/fake/journal"
)

// These constants bound texts in a line of the log or of the banner, in characters.
const (
	tokenWidth  = 40
	urlWidth    = 80
	reasonWidth = 400
)

// lineBytes is the initial capacity of a line, in bytes; most lines fit.
const lineBytes = 256

// A textHandler writes records for people, each as one line: a request in columns, and any other
// record with its level, message and attributes.
type textHandler struct {
	out   io.Writer
	level slog.Level
	times string // the layout of the time in each line
}

// newTextHandler returns a handler that writes the records of a level and of all higher levels. If
// dated is true, each line has the date beside the time.
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
func (h *textHandler) Handle(ctx context.Context, record slog.Record) error {
	line := make([]byte, 0, lineBytes)
	line = record.Time.Local().AppendFormat(line, h.times)
	if request := journal.FromContext(ctx); request != nil {
		line = appendRequest(line, request)
	} else {
		line = appendMessage(line, record)
	}
	_, err := h.out.Write(append(line, '\n'))
	return err
}

// appendMessage appends a record that is not about a request: its level, its message and its
// attributes.
func appendMessage(line []byte, record slog.Record) []byte {
	line = fmt.Appendf(line, "  %-5s  %s", record.Level, printable(record.Message))
	record.Attrs(func(a slog.Attr) bool {
		line = fmt.Appendf(line, "  %s=%s", a.Key, oneLine(a.Value.String()))
		return true
	})
	return line
}

// appendRequest appends a request, in columns: the status, the method, the URL, the token, the
// milliseconds until the answer began, and the reason. A dash stands for a missing value.
func appendRequest(line []byte, r *journal.Request) []byte {
	status, duration := "-", "-"
	if r.Status != 0 {
		status = strconv.Itoa(r.Status)
	}
	if r.Duration > 0 {
		milliseconds := float64(r.Duration) / float64(time.Millisecond)
		duration = strconv.FormatFloat(milliseconds, 'f', 2, 64) + "ms"
	}
	method := plain(r.Method, tokenWidth)
	url := plain(r.URL, urlWidth)
	token := cmp.Or(plain(r.Token, tokenWidth), "-")
	reason := plain(r.Reason, reasonWidth)
	if r.IgnoredQuery != "" {
		reason += "; the query is ignored, since the service documents none"
	}
	return fmt.Appendf(line, "  %-3s  %-7s  %-20s  %-12s  %9s  %s",
		status, method, url, token, duration, reason)
}
