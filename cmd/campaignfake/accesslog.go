package main

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// A logQueue formats and writes log records in batches, in its own goroutine. So no
// request waits for standard error, and a busy server does not make a system call for
// each line.
type logQueue struct {
	writer  io.Writer
	out     *bufio.Writer // writes to writer; only the goroutine uses it
	added   chan struct{} // has room for one, which says that records wait
	closing chan struct{}
	closed  chan struct{}

	mu      sync.Mutex
	waiting []queuedRecord
	size    int          // bytes that wait
	dropped int          // records since the last batch
	format  slog.Handler // of the latest of those
}

type queuedRecord struct {
	format slog.Handler
	record slog.Record
}

const (
	// logInterval is how long records wait for others that are written with them.
	logInterval = 20 * time.Millisecond

	// logBytes is how many bytes may wait if the writer is slow. Further records are
	// dropped and counted. recordBytes is what a record takes in addition to its text.
	logBytes, recordBytes = 1 << 20, 256

	// logTimeout is how long Close waits for the writer. It may be blocked: a full
	// pipe is, if nobody reads it.
	logTimeout = 2 * time.Second
)

func newLogQueue(writer io.Writer) *logQueue {
	q := &logQueue{
		writer: writer, out: bufio.NewWriterSize(writer, 32<<10),
		added: make(chan struct{}, 1), closing: make(chan struct{}), closed: make(chan struct{}),
	}
	go q.run()
	return q
}

// Close writes the records that wait, unless the writer is blocked.
func (q *logQueue) Close() {
	close(q.closing)
	select {
	case <-q.closed:
	case <-time.After(logTimeout):
	}
}

func (q *logQueue) run() {
	defer close(q.closed)
	var batch []queuedRecord
	for {
		select {
		case <-q.added:
			select {
			case <-time.After(logInterval):
			case <-q.closing:
			}
			batch = q.write(batch)
		case <-q.closing:
			q.write(batch)
			return
		}
	}
}

// write writes the records that wait. It takes an empty slice for the next batch, and
// returns the slice of this batch, emptied.
func (q *logQueue) write(empty []queuedRecord) []queuedRecord {
	q.mu.Lock()
	batch, dropped, format := q.waiting, q.dropped, q.format
	q.waiting, q.size, q.dropped = empty, 0, 0
	q.mu.Unlock()
	for i := range batch {
		batch[i].format.Handle(context.Background(), batch[i].record)
	}
	if dropped > 0 {
		lost := slog.NewRecord(time.Now(), slog.LevelWarn, "lines were lost here, since standard error was too slow", 0)
		lost.AddAttrs(slog.Int("lines", dropped))
		format.Handle(context.Background(), lost)
	}
	if q.out.Flush() != nil {
		q.out.Reset(q.writer) // after an error it would write nothing more
	}
	clear(batch)
	return batch[:0]
}

// add adds a record to those that wait, or drops it.
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
	select {
	case q.added <- struct{}{}:
	default: // the goroutine knows
	}
	if q.size+size > logBytes {
		q.dropped, q.format = q.dropped+1, format
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
