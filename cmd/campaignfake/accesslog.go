package main

import (
	"fmt"
	"io"
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
		select {
		case w.wake <- struct{}{}:
		default:
		}
	}
	return len(line), nil
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
		if lost > 0 {
			batch = fmt.Appendf(batch, "campaignfake: %d lines were lost here: standard error was too slow\n", lost)
		}
		w.out.Write(batch)
	}
}
