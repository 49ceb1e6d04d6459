package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"
)

// A lineWriter passes lines on to a slow writer in batches, from a goroutine of
// its own: a request does not wait for standard error, whatever is behind it,
// and a busy server does not pay for a system call with every line.
type lineWriter struct {
	out  io.Writer
	wake chan struct{} // has room for one
	stop chan struct{}
	done chan struct{}

	// more, if there is one, returns further lines when a batch is put together.
	more func() []byte

	mu      sync.Mutex
	waiting []byte
	lost    int
}

const (
	// logDelay is how long a line waits for others.
	logDelay = 20 * time.Millisecond

	// logBytes is how much may wait if the writer does not keep up. Lines beyond
	// that are lost, and counted.
	logBytes = 1 << 20

	// logPatience is how long the end of the process waits for the writer. One
	// that is stuck, as a full pipe that nobody reads, must not keep the process
	// alive.
	logPatience = 2 * time.Second
)

func newLineWriter(out io.Writer) *lineWriter {
	w := &lineWriter{out: out, wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	go w.run()
	return w
}

// Write takes a line. It never fails.
func (w *lineWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	first := len(w.waiting) == 0
	if len(w.waiting)+len(line) > logBytes {
		w.lost++
	} else {
		w.waiting = append(w.waiting, line...)
	}
	w.mu.Unlock()
	if first {
		w.signal()
	}
	return len(line), nil
}

// signal has a batch put together soon.
func (w *lineWriter) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// lose counts a line that there was no room for.
func (w *lineWriter) lose() {
	w.mu.Lock()
	w.lost++
	w.mu.Unlock()
}

// Close passes on what is waiting, unless the writer is stuck.
func (w *lineWriter) Close() {
	close(w.stop)
	select {
	case <-w.done:
	case <-time.After(logPatience):
	}
}

func (w *lineWriter) run() {
	defer close(w.done)
	timer := time.NewTimer(0)
	<-timer.C
	var batch []byte
	for stopped := false; !stopped; {
		select {
		case <-w.wake:
			timer.Reset(logDelay)
			select {
			case <-timer.C:
			case <-w.stop:
				stopped = true
			}
		case <-w.stop:
			stopped = true
		}
		w.mu.Lock()
		batch, w.waiting = w.waiting, batch[:0]
		lost := w.lost
		w.lost = 0
		w.mu.Unlock()
		if w.more != nil {
			batch = append(batch, w.more()...)
		}
		if lost > 0 {
			batch = fmt.Appendf(batch, "campaignfake: %d lines were lost here: standard error was too slow\n", lost)
		}
		if len(batch) > 0 {
			w.out.Write(batch)
		}
	}
}

// logRecords is how many records may wait to be formatted.
const logRecords = 4096

// A recordQueue has records formatted by the goroutine of a lineWriter, many at
// a time, which takes less than half of what it takes in between requests.
type recordQueue struct {
	lines *lineWriter
	text  bytes.Buffer // used by the goroutine of lines alone

	mu      sync.Mutex
	waiting []queuedRecord
	spare   []queuedRecord
}

type queuedRecord struct {
	format slog.Handler
	record slog.Record
}

// newLogHandler returns a handler that formats records as newFormat's does, and
// writes them to lines.
func newLogHandler(lines *lineWriter, newFormat func(io.Writer) slog.Handler) slog.Handler {
	q := &recordQueue{lines: lines}
	lines.more = q.formatted
	return queueHandler{q, newFormat(&q.text)}
}

// formatted returns the lines of the records that are waiting.
func (q *recordQueue) formatted() []byte {
	q.mu.Lock()
	batch := q.waiting
	q.waiting = q.spare
	q.mu.Unlock()
	q.text.Reset()
	for i := range batch {
		batch[i].format.Handle(context.Background(), batch[i].record)
	}
	clear(batch)
	q.spare = batch[:0]
	return q.text.Bytes()
}

// queueHandler is the slog.Handler of a recordQueue.
type queueHandler struct {
	queue  *recordQueue
	format slog.Handler
}

func (h queueHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.format.Enabled(ctx, level)
}

func (h queueHandler) Handle(_ context.Context, record slog.Record) error {
	q := h.queue
	q.mu.Lock()
	count := len(q.waiting)
	if count < logRecords {
		q.waiting = append(q.waiting, queuedRecord{h.format, record.Clone()})
	}
	q.mu.Unlock()
	switch count {
	case 0:
		q.lines.signal()
	case logRecords:
		q.lines.lose()
	}
	return nil
}

func (h queueHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return queueHandler{h.queue, h.format.WithAttrs(attrs)}
}

func (h queueHandler) WithGroup(name string) slog.Handler {
	return queueHandler{h.queue, h.format.WithGroup(name)}
}
