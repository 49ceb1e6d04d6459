package main

import (
	"bytes"
	"io"
	"sync"
	"time"
)

const (
	queueBytes = 1 << 20         // how much may wait; what does not fit is lost
	drainLimit = 2 * time.Second // how long drain waits for the lines that wait
	closeLimit = time.Second     // how long close waits for the last ones
)

// A lineQueue writes lines in a goroutine of its own, so that no request waits for a terminal that
// is stopped, or for a pipe that nobody reads. Each line is one write. A line that does not fit, or
// cannot be written, is lost: it is counted, and a line says how many were lost.
type lineQueue struct {
	out    io.Writer
	report func(lost int) []byte // returns the line that says how many were lost
	done   chan struct{}         // closed when all lines are written

	mutex   sync.Mutex // held neither while a line is written nor while one is awaited
	changed *sync.Cond
	waiting []queuedLine
	bytes   int  // of the lines that wait
	lost    int  // lines that no report counts yet
	failed  bool // whether the last line could not be written
	ended   bool // whether no more lines come
}

// A queuedLine is a line of the log, a report, or a mark behind the lines that drain waits for.
type queuedLine struct {
	text    []byte
	lines   int           // 1, how many lost ones a report counts, or 0
	reached chan struct{} // of a mark: closed when the lines before it are written
}

// newLineQueue returns a queue that writes to out until it is closed.
func newLineQueue(out io.Writer, report func(lost int) []byte) *lineQueue {
	q := &lineQueue{
		out:    out,
		report: report,
		done:   make(chan struct{}),
	}
	q.changed = sync.NewCond(&q.mutex)
	go q.writeLines()
	return q
}

// Write adds a line to those that wait. It never fails, and never waits for the reader.
func (q *lineQueue) Write(line []byte) (int, error) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if !q.hasRoom(len(line)) {
		q.lost++
		return len(line), nil
	}
	q.addReport() // which stands where the lost lines would
	q.add(queuedLine{text: bytes.Clone(line), lines: 1})
	return len(line), nil
}

// hasRoom returns whether a line fits. Once one did not, half of the queue has to be free before
// another does: so one report is about many lost lines, and not each about one.
func (q *lineQueue) hasRoom(length int) bool {
	room := queueBytes
	if q.lost > 0 {
		room = queueBytes / 2
	}
	return q.bytes+length <= room
}

// addReport adds a line about those that were lost, if there are any.
func (q *lineQueue) addReport() {
	if q.lost == 0 {
		return
	}
	q.add(queuedLine{text: q.report(q.lost), lines: q.lost})
	q.lost = 0
}

func (q *lineQueue) add(line queuedLine) {
	q.waiting = append(q.waiting, line)
	q.bytes += len(line.text)
	q.changed.Signal()
}

// writeLines writes the lines that wait, and those that come, until the end.
func (q *lineQueue) writeLines() {
	defer close(q.done)
	for {
		line, found := q.next()
		if !found {
			return
		}
		if line.reached != nil {
			close(line.reached)
			continue
		}
		_, err := q.out.Write(line.text)
		q.written(line, err)
	}
}

// next takes the line out of the queue that is to be written next. It waits until there is one, and
// returns false when all are written and no more come.
func (q *lineQueue) next() (line queuedLine, found bool) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for len(q.waiting) == 0 {
		switch {
		case q.lost > 0 && !q.failed: // a report would fail, too, and be tried without a pause
			q.addReport()
		case q.ended:
			return queuedLine{}, false
		default:
			q.changed.Wait()
		}
	}
	line = q.waiting[0]
	q.waiting = q.waiting[1:]
	q.bytes -= len(line.text)
	return line, true
}

// written notes whether a line was written.
func (q *lineQueue) written(line queuedLine, err error) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.failed = err != nil
	if q.failed {
		q.lost += line.lines
	}
}

// drain waits until the lines that wait are written. If that takes too long, as nobody may read a
// pipe that is full, they are lost, so that there is room for what follows.
func (q *lineQueue) drain() {
	reached := make(chan struct{})
	q.mutex.Lock()
	q.addReport()
	q.add(queuedLine{reached: reached})
	q.mutex.Unlock()

	select {
	case <-reached:
	case <-time.After(drainLimit):
		q.loseWaiting()
	}
}

// loseWaiting drops the lines that wait.
func (q *lineQueue) loseWaiting() {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for _, line := range q.waiting {
		q.lost += line.lines
	}
	q.waiting = nil
	q.bytes = 0
}

// close waits until the last lines are written, unless that takes too long. No line may follow.
func (q *lineQueue) close() {
	q.mutex.Lock()
	q.ended = true
	q.changed.Signal()
	q.mutex.Unlock()

	select {
	case <-q.done:
	case <-time.After(closeLimit):
	}
}
