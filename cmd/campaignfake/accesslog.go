package main

import (
	"bytes"
	"io"
	"log/slog"
	"sync"
	"time"
)

// A logQueue is a writer that does not block. It stores lines, and writes them in batches:
// no request waits for standard error, and a busy server does not make a system call for
// each line.
type logQueue struct {
	writer  io.Writer
	format  func(io.Writer) slog.Handler
	writing chan struct{} // has an element while a batch is written

	mu      sync.Mutex
	waiting []byte // lines
	dropped int    // lines since the last batch
	isDue   bool   // a batch will be written
}

const (
	// logInterval is how long lines wait for others that are written with them.
	logInterval = 20 * time.Millisecond

	// logBytes is how many bytes may wait if the writer is slow. Further lines are
	// dropped and counted.
	logBytes = 1 << 20

	// logTimeout is how long Close waits for the writer. It may be blocked: a full
	// pipe is, if nobody reads it.
	logTimeout = 2 * time.Second
)

// newLogQueue returns a queue that writes to writer, given the format of the log.
func newLogQueue(writer io.Writer, format func(io.Writer) slog.Handler) *logQueue {
	return &logQueue{writer: writer, format: format, writing: make(chan struct{}, 1)}
}

// logger returns a logger that writes to the queue.
func (q *logQueue) logger() *slog.Logger { return slog.New(q.format(q)) }

// Write stores a line, or drops it.
func (q *logQueue) Write(line []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting)+len(line) > logBytes {
		q.dropped++
	} else {
		q.waiting = append(q.waiting, line...)
	}
	if !q.isDue {
		q.isDue = true
		time.AfterFunc(logInterval, q.flush)
	}
	return len(line), nil
}

// Close writes the lines that wait, unless the writer is blocked.
func (q *logQueue) Close() {
	written := make(chan struct{})
	go func() {
		q.flush()
		close(written)
	}()
	select {
	case <-written:
	case <-time.After(logTimeout):
	}
}

// flush writes the lines that wait, once the batch before them is written.
func (q *logQueue) flush() {
	q.writing <- struct{}{}
	defer func() { <-q.writing }()
	q.mu.Lock()
	batch, dropped := q.waiting, q.dropped
	q.waiting, q.dropped, q.isDue = nil, 0, false
	q.mu.Unlock()
	if dropped > 0 {
		var line bytes.Buffer
		slog.New(q.format(&line)).Warn("lines were lost here, since standard error was too slow", slog.Int("lines", dropped))
		batch = append(batch, line.Bytes()...)
	}
	if len(batch) > 0 {
		q.writer.Write(batch) // if it fails, these lines are lost
	}
}
