package main

import (
	"cmp"
	"log/slog"
	"strconv"
	"strings"
	"unicode/utf8"
)

// How long the texts of a row can be.
const (
	tokenWidth  = 40
	urlWidth    = 80
	reasonWidth = 400

	durationWidth = 9 // at least
)

// clock is the format of times of the day.
const clock = "15:04:05.000"

// appendRequest appends the record of a request, in columns of fixed widths: the time, the status,
// the method, the URL, the token, how long the answer took, and the reason. What is not there is
// a dash.
func appendRequest(line []byte, record slog.Record) []byte {
	status, duration := "-", "-"
	var method, url, token, reason string
	record.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "method":
			method = a.Value.String()
		case "path":
			url = a.Value.String()
		case "ignored_query": // which follows the path
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

	line = record.Time.Local().AppendFormat(line, clock+"  ")
	line = appendColumn(line, status, 3)
	line = appendColumn(line, plain(method, tokenWidth), 7)
	line = appendColumn(line, plain(url, urlWidth), 20)
	line = appendColumn(line, cmp.Or(plain(token, tokenWidth), "-"), 12)
	for range durationWidth - len(duration) { // numbers end below each other
		line = append(line, ' ')
	}
	line = appendColumn(line, duration, 0)
	line = append(line, plain(reason, reasonWidth)...)
	return append(line, '\n')
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
