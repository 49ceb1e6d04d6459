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
	"sync"
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

// isTerminal reports whether an output is a terminal.
func isTerminal(output io.Writer) bool {
	file, ok := output.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// mayColour reports whether an output is a terminal that shows colours. Windows would
// have to be asked for them.
func (p *process) mayColour(output io.Writer) bool {
	return isTerminal(output) && p.getenv("NO_COLOR") == "" && p.getenv("TERM") != "dumb" && runtime.GOOS != "windows"
}

// A columnsHandler formats the records of requests as rows of a table, and other
// records as a line with the time, the level, the message and its attributes.
type columnsHandler struct {
	slog.Handler // chooses the levels; nothing here adds attributes to a logger
	out          io.Writer
	mu           *sync.Mutex
	table        *table
}

func newColumnsHandler(out io.Writer, coloured bool, options *slog.HandlerOptions) columnsHandler {
	return columnsHandler{slog.NewTextHandler(out, options), out, new(sync.Mutex), &table{coloured: coloured}}
}

func (h columnsHandler) Handle(ctx context.Context, record slog.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var line bytes.Buffer
	if record.Message == "request" {
		r := requestRow(record)
		h.table.widen(r)
		h.table.write(&line, r)
	} else {
		h.table.writeRecord(ctx, &line, record)
	}
	_, err := h.out.Write(line.Bytes())
	return err
}

// writeRecord writes a record that is no request as a line.
func (t *table) writeRecord(ctx context.Context, out *bytes.Buffer, record slog.Record) {
	colour := red
	switch {
	case record.Level < slog.LevelWarn:
		colour = cyan
	case record.Level < slog.LevelError:
		colour = yellow
	}
	level := t.colour(colour, fmt.Sprintf("%-5s", record.Level))
	fmt.Fprintf(out, "%s  %s  %s  ", t.colour(faint, record.Time.Local().Format(clock)), level, printable(record.Message))
	attributes := slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && (a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
			return slog.Attr{}
		}
		return a
	}}
	record.Time = time.Time{} // a record without a time is written without one
	slog.NewTextHandler(out, &attributes).Handle(ctx, record)
}

// requestRow returns the row of a request in the log.
func requestRow(record slog.Record) row {
	values := make(map[string]slog.Value)
	record.Attrs(func(a slog.Attr) bool {
		values[a.Key] = a.Value
		return true
	})
	url := values["path"].String()
	if query, ok := values["ignored_query"]; ok {
		url += "?" + query.String()
	}
	return newRow(fake.Request{
		At: record.Time, Method: values["method"].String(), URL: url, Token: values["token"].String(), Reason: values["reason"].String(),
		Status: int(values["status"].Int64()), Duration: time.Duration(values["duration_ms"].Float64() * float64(time.Millisecond)),
	})
}
