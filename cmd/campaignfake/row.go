package main

import (
	"cmp"
	"log/slog"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/campaignfake/fake/journal"
)

// How long the texts of a row can be.
const (
	tokenWidth  = 40
	urlWidth    = 80
	reasonWidth = 400
)

// clock is the format of times of the day.
const clock = "15:04:05.000"

// appendRow appends a request in columns of fixed widths: the time, the status, the method,
// the URL, the token, how long the answer took, and the reason. What is not there yet is a
// dash.
func appendRow(line []byte, r journal.Request) []byte {
	status, duration := "-", "-"
	if r.Status != 0 {
		status = strconv.Itoa(r.Status)
	}
	if r.Duration > 0 {
		duration = strconv.FormatFloat(float64(r.Duration)/float64(time.Millisecond), 'f', 2, 64) + "ms"
	}

	line = r.At.Local().AppendFormat(line, clock+"  ")
	line = appendColumn(line, status, 3)
	line = appendColumn(line, plain(r.Method, tokenWidth), 7)
	line = appendColumn(line, plain(r.URL, urlWidth), 20)
	line = appendColumn(line, cmp.Or(plain(r.Token, tokenWidth), "-"), 12)
	line = append(line, "         "[min(9, len(duration)):]...) // numbers end below each other
	line = appendColumn(line, duration, 0)
	return append(append(line, plain(r.Reason, reasonWidth)...), '\n')
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

// requestOf returns the request that a record of package fake describes. A map of
// its attributes would be shorter, but take as long as all the rest of a line.
func requestOf(record slog.Record) journal.Request {
	r := journal.Request{At: record.Time}
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

// plain shortens text to a width on one line.
func plain(text string, width int) string {
	if len(text) <= width && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return text // this is quick
	}

	runes := []rune(oneLine(text))
	if len(runes) <= width {
		return string(runes)
	}
	return string(runes[:width-1]) + "…"
}

// oneLine returns text as one line that is printable.
func oneLine(text string) string { return printable(strings.Join(strings.Fields(text), " ")) }

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
