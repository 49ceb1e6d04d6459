package main

import (
	"bytes"
	"io"
	"sync/atomic"
	"time"
)

const (
	queueLines = 4096            // how many lines may wait; the queue drops further lines
	closeLimit = 2 * time.Second // how long close waits until the last line is written
)

// A lineQueue writes lines in a goroutine of its own, so that no request waits for a terminal that
// is stopped, or for a pipe that nobody reads. Each line is one write. If the queue is full, or if
// the write fails, the line is lost. When no line waits any more, the queue writes how many lines
// were lost.
type lineQueue struct {
	out    io.Writer
	report func(lost int64) []byte // returns a line that says how many lines were lost
	lines  chan []byte             // the lines that wait; nil ends the queue
	lost   atomic.Int64            // the lines that were lost since the last report
	done   chan struct{}           // closed when all lines are written
}

// newLineQueue returns a queue that writes to out until it is closed.
func newLineQueue(out io.Writer, report func(lost int64) []byte) *lineQueue {
	q := &lineQueue{
		out:    out,
		report: report,
		lines:  make(chan []byte, queueLines),
		done:   make(chan struct{}),
	}
	go q.writeLines()
	return q
}

// Write adds a line to the queue, or counts the line as lost if the queue is full. It never waits,
// and never fails.
func (q *lineQueue) Write(line []byte) (int, error) {
	select {
	case q.lines <- bytes.Clone(line): // the slog.Handler reuses the memory of line
	default:
		q.lost.Add(1)
	}
	return len(line), nil
}

// writeLines writes the lines of the queue until close ends it.
func (q *lineQueue) writeLines() {
	defer close(q.done)
	for line := <-q.lines; line != nil; line = <-q.lines {
		if _, err := q.out.Write(line); err != nil {
			q.lost.Add(1)
		}
		if len(q.lines) == 0 {
			q.reportLost()
		}
	}
	q.reportLost()
}

// reportLost writes how many lines were lost since the last report, if any were.
func (q *lineQueue) reportLost() {
	lost := q.lost.Load()
	if lost == 0 {
		return
	}
	if _, err := q.out.Write(q.report(lost)); err == nil {
		q.lost.Add(-lost)
	}
}

// close waits until the last line is written, but at most for closeLimit, since perhaps nobody
// reads the log. Call it once. A line that is written after close is lost.
func (q *lineQueue) close() {
	limit := time.After(closeLimit)
	select {
	case q.lines <- nil:
	case <-limit:
		return
	}
	select {
	case <-q.done:
	case <-limit:
	}
}
