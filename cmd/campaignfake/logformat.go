package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"example.com/campaignfake/fixtures"
)

// logHandler returns the handler for the format of the log. It writes lines to out, from
// where they go to standard error.
func (c *serveCommand) logHandler(p *process, out io.Writer) slog.Handler {
	options := &slog.HandlerOptions{Level: slog.LevelInfo}
	if c.Quiet {
		options.Level = slog.LevelWarn
	}
	format := c.LogFormat
	if format == "auto" && isTerminal(p.stderr) {
		format = "columns"
	}
	switch format {
	case "json":
		return slog.NewJSONHandler(escaping{out}, options)
	case "columns":
		return newColumnsHandler(out, p.mayColour(p.stderr), options)
	}
	return slog.NewTextHandler(out, options)
}

// wantsJSON reports whether the server logs JSON. It does not check the flag, so that a
// mistake in other flags is JSON as well.
func (p *process) wantsJSON(l *line) bool {
	if formats := l.values["log-format"]; len(formats) > 0 {
		return formats[len(formats)-1] == "json"
	}
	return l.command == l.commands[0] && p.getenv(variablePrefix+"_LOG_FORMAT") == "json"
}

// printJSON prints an error as JSON: each mistake in fixtures is an object of its own.
func printJSON(out io.Writer, err error, help string) {
	logger := slog.New(slog.NewJSONHandler(escaping{out}, nil))
	var explanation []any
	if help != "" {
		explanation = append(explanation, slog.String("help", help))
	}
	for _, err := range several(err) {
		mistakes, ok := err.(*fixtures.Mistakes)
		if !ok {
			logger.Error(err.Error(), explanation...)
			continue
		}
		for _, m := range mistakes.List {
			logger.Error(cannotUse, slog.Any("error", m))
		}
		if mistakes.More > 0 {
			logger.Error(cannotUse+"; more mistakes are not listed", slog.Int("more", mistakes.More))
		}
	}
}

// several returns the errors that one consists of. Mistakes in fixtures are returned
// without the error around them.
func several(err error) (all []error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			all = append(all, several(err)...)
		}
		return all
	}
	if inner := errors.Unwrap(err); inner != nil && errors.As(inner, new(*fixtures.Mistakes)) {
		return several(inner)
	}
	return []error{err}
}

// escaping writes lines of JSON, with escapes for characters that could change the
// terminal, or turn the text around.
type escaping struct{ to io.Writer }

func (e escaping) Write(lines []byte) (int, error) {
	_, err := e.to.Write(escapeJSON(lines))
	return len(lines), err
}

// escapeJSON escapes the characters that JSON allows and that are not printable. A
// line feed is only between lines, since strings have none.
func escapeJSON(text []byte) []byte {
	odd := func(r rune) bool { return r != '\n' && !strconv.IsPrint(r) }
	if !bytes.ContainsFunc(text, odd) {
		return text
	}
	var safe []byte
	for _, r := range string(text) {
		if !odd(r) {
			safe = utf8.AppendRune(safe, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			safe = fmt.Appendf(safe, `\u%04x`, unit)
		}
	}
	return safe
}
