package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"
)

// A logQueue formats and writes log records in a goroutine of its own, many at
// once. So no request waits for standard error, and a busy server does not make a
// system call for each line.
type logQueue struct {
	writer  io.Writer
	out     *bufio.Writer // to writer; only the goroutine uses it
	closing chan struct{}
	closed  chan struct{}

	mu      sync.Mutex
	waiting []queuedRecord
	size    int // of those
	lost    int // records since the last batch
}

type queuedRecord struct {
	format slog.Handler
	record slog.Record
}

const (
	// logInterval is how often records are written.
	logInterval = 20 * time.Millisecond

	// logBytes is how much may wait if the writer is slow. Records beyond that
	// are lost, and counted. recordBytes is what a record takes beside its text.
	logBytes, recordBytes = 1 << 20, 256

	// logPatience is how long the end of the process waits for the writer, which
	// may be blocked, as a full pipe is that nobody reads.
	logPatience = 2 * time.Second
)

func newLogQueue(writer io.Writer) *logQueue {
	q := &logQueue{writer: writer, out: bufio.NewWriterSize(writer, 32<<10), closing: make(chan struct{}), closed: make(chan struct{})}
	go q.run()
	return q
}

// Close writes what waits, unless the writer is blocked.
func (q *logQueue) Close() {
	close(q.closing)
	select {
	case <-q.closed:
	case <-time.After(logPatience):
	}
}

func (q *logQueue) run() {
	defer close(q.closed)
	ticker := time.NewTicker(logInterval)
	defer ticker.Stop()
	var batch []queuedRecord
	for {
		select {
		case <-ticker.C:
			batch = q.write(batch)
		case <-q.closing:
			q.write(batch)
			return
		}
	}
}

// write writes what waits. It takes a slice to use again, and returns another.
func (q *logQueue) write(empty []queuedRecord) []queuedRecord {
	q.mu.Lock()
	batch, lost := q.waiting, q.lost
	q.waiting, q.size, q.lost = empty, 0, 0
	q.mu.Unlock()
	for i := range batch {
		batch[i].format.Handle(context.Background(), batch[i].record)
	}
	if lost > 0 {
		fmt.Fprintf(q.out, "campaignfake: %d lines were lost here: standard error was too slow\n", lost)
	}
	if q.out.Flush() != nil {
		q.out.Reset(q.writer) // or it would not write again
	}
	clear(batch)
	return batch[:0]
}

// add makes a record wait, or counts it as lost.
func (q *logQueue) add(format slog.Handler, record slog.Record) {
	size := recordBytes
	record.Attrs(func(a slog.Attr) bool {
		if a.Value.Kind() == slog.KindString {
			size += len(a.Value.String())
		}
		return true
	})
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.size+size > logBytes {
		q.lost++
		return
	}
	q.size += size
	q.waiting = append(q.waiting, queuedRecord{format, record.Clone()})
}

// A queuedHandler adds records to a queue. Its format writes to the queue's out.
type queuedHandler struct {
	queue  *logQueue
	format slog.Handler
}

func (h queuedHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.format.Enabled(ctx, level)
}

func (h queuedHandler) Handle(_ context.Context, record slog.Record) error {
	h.queue.add(h.format, record)
	return nil
}

func (h queuedHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return queuedHandler{h.queue, h.format.WithAttrs(attrs)}
}

func (h queuedHandler) WithGroup(name string) slog.Handler {
	return queuedHandler{h.queue, h.format.WithGroup(name)}
}
