package main

import (
	"bytes"
	"io"
	"log/slog"
	"os"
)

// logFlags choose the lines and the format of the log.
type logFlags struct {
	LogFormat string `type:"logFormat" default:"text" placeholder:"FORMAT" help:"The log: text for people (the default), or json for collectors."`
	Quiet     bool   `type:"switch" help:"Print the base URL alone, and log what went wrong: warnings, errors, unmatched requests, and a summary if there were any."`
}

// The formats of the log.
const (
	formatText = "text"
	formatJSON = "json"
)

// newLog returns a logger that writes to out through a queue. The caller closes the queue, which
// writes the last lines.
func (f *logFlags) newLog(out io.Writer) (*slog.Logger, *lineQueue) {
	dated := !isTerminal(out)
	queue := newLineQueue(out, func(lost int64) []byte {
		var line bytes.Buffer
		logger := slog.New(f.handler(&line, dated))
		logger.Warn("lines of the log were lost, since they were not read in time",
			slog.Int64("lines", lost))
		return line.Bytes()
	})
	return slog.New(f.handler(queue, dated)), queue
}

// handler returns a handler that writes each record as one line. If dated is true, lines of text
// have a date; lines of JSON always have a date.
func (f *logFlags) handler(out io.Writer, dated bool) slog.Handler {
	level := slog.LevelInfo
	if f.Quiet {
		level = slog.LevelWarn
	}
	if f.LogFormat == formatJSON {
		return slog.NewJSONHandler(out, &slog.HandlerOptions{Level: level})
	}
	return newTextHandler(out, level, dated)
}

// isTerminal reports whether out is a terminal. There people see each line at once, and need no
// date.
func isTerminal(out io.Writer) bool {
	file, isFile := out.(*os.File)
	if !isFile {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
