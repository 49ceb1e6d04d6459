package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"
)

const (
	logRecords  = 1024                 // how many records may wait; further ones are lost
	logInterval = 5 * time.Millisecond // how long they wait for others
	logEnd      = 2 * time.Second      // how long the last ones may take
)

// A log collects records, and writes many at once: to write each by itself would cost a
// fifth of a request, and a request would wait for a terminal that is stopped.
type log struct {
	slog.Handler // chooses the levels; nothing here adds attributes to a logger

	out     io.Writer
	records chan slog.Record // those that wait; one without a time is the last
	written chan struct{}    // closed when all are written
}

// newLog returns the log of a server. A quiet one has only what went wrong.
func newLog(out io.Writer, quiet bool) *log {
	level := slog.LevelInfo
	if quiet {
		level = slog.LevelWarn
	}
	levels := slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: level})
	l := &log{Handler: levels, out: out, records: make(chan slog.Record, logRecords), written: make(chan struct{})}
	go l.write()
	return l
}

// Handle adds a record to those that wait.
func (l *log) Handle(_ context.Context, record slog.Record) error {
	select {
	case l.records <- record:
	default: // nobody reads the lines, and requests do not wait for that
	}
	return nil
}

// write writes lines until the last record. After each write it pauses, so that those of a
// server under load are written together, and the line of a single request at once.
func (l *log) write() {
	var lines []byte
	for record := range l.records {
		last := record.Time.IsZero()
		if !last {
			lines = appendLine(lines, record)
		}
		if len(l.records) > 0 && !last {
			continue
		}

		l.out.Write(lines)
		if last {
			close(l.written)
			return
		}
		lines = lines[:0]
		time.Sleep(logInterval)
	}
}

// close waits until all lines are written, unless that takes long: nobody may read a pipe
// that is full.
func (l *log) close() {
	go func() { l.records <- slog.Record{} }()
	select {
	case <-l.written:
	case <-time.After(logEnd):
	}
}

// appendLine appends a request as a row, and anything else with its level, message and
// attributes.
func appendLine(lines []byte, record slog.Record) []byte {
	if record.Message == "request" {
		return appendRequest(lines, record)
	}
	lines = fmt.Appendf(lines, "%s  %-5s  %s", record.Time.Local().Format(clock), record.Level, printable(record.Message))
	record.Attrs(func(a slog.Attr) bool {
		lines = fmt.Appendf(lines, "  %s=%s", a.Key, oneLine(a.Value.String()))
		return true
	})
	return append(lines, '\n')
}
