package main

import (
	"bytes"
	"io"
	"sync"
	"time"
)

const (
	queueBytes = 1 << 20         // how much may wait; a line that does not fit is lost
	drainLimit = 2 * time.Second // how long drain waits until no line waits
	closeLimit = time.Second     // how long close waits until the last line is written
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
	bytes   int           // the length of the lines that wait
	lost    int           // how many lines were lost that no report counts yet
	failed  bool          // whether the last line could not be written
	emptied chan struct{} // closed when no line waits; nil unless drain waits for that
	ended   bool          // whether no more lines come
}

// A queuedLine is a line of the log, or a report of lines that were lost.
type queuedLine struct {
	text  []byte
	lines int // how many lines are lost with it: 1, or those that the report counts
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
	q.addReport() // so that it stands where the lost lines would
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
		_, err := q.out.Write(line.text)
		q.noteResult(line, err)
	}
}

// next takes the first line out of the queue. It waits until there is one. It returns false when
// all lines are written and no more come.
func (q *lineQueue) next() (line queuedLine, found bool) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for len(q.waiting) == 0 {
		// After a failure a report would fail, too, and be tried again and again without a pause.
		if q.lost > 0 && !q.failed {
			q.addReport()
			break
		}
		q.endDrain()
		if q.ended {
			return queuedLine{}, false
		}
		q.changed.Wait()
	}
	line = q.waiting[0]
	q.waiting = q.waiting[1:]
	q.bytes -= len(line.text)
	return line, true
}

// noteResult counts a line as lost if it could not be written.
func (q *lineQueue) noteResult(line queuedLine, err error) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.failed = err != nil
	if q.failed {
		q.lost += line.lines
	}
}

// drain waits until no line waits. After some time it drops the lines that still wait, since nobody
// may read a pipe that is full: so there is room for what follows. It is called once.
func (q *lineQueue) drain() {
	emptied := make(chan struct{})
	q.mutex.Lock()
	q.emptied = emptied
	q.changed.Signal()
	q.mutex.Unlock()

	select {
	case <-emptied:
	case <-time.After(drainLimit):
		q.loseWaiting()
	}
}

// endDrain tells a drain that no line waits.
func (q *lineQueue) endDrain() {
	if q.emptied != nil {
		close(q.emptied)
		q.emptied = nil
	}
}

// loseWaiting drops the lines that wait, and counts them as lost.
func (q *lineQueue) loseWaiting() {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for _, line := range q.waiting {
		q.lost += line.lines
	}
	q.waiting = nil
	q.bytes = 0
}

// close waits until the last line is written, but not for long. No line may follow.
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
