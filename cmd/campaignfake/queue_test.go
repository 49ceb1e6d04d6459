package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// report is the line about lost ones in these tests.
func report(lost int64) []byte {
	return fmt.Appendf(nil, "%d lost\n", lost)
}

// A slowReader reads no line before it is told to, and keeps each write.
type slowReader struct {
	mayRead chan struct{}

	mutex  sync.Mutex
	writes []string
	err    error // of each write
}

func newSlowReader() *slowReader {
	return &slowReader{mayRead: make(chan struct{})}
}

func (r *slowReader) Write(line []byte) (int, error) {
	<-r.mayRead
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.err != nil {
		return 0, r.err
	}
	r.writes = append(r.writes, string(line))
	return len(line), nil
}

func (r *slowReader) setError(err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.err = err
}

// Each line is one write, at once and in order.
func TestQueueWritesLines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reader := newSlowReader()
		close(reader.mayRead)
		queue := newLineQueue(reader, report)
		line := []byte("first\n")
		queue.Write(line)
		copy(line, "other") // as a handler uses its memory again
		io.WriteString(queue, "second\nof two\n")
		synctest.Wait()
		io.WriteString(queue, "third\n")
		begin := time.Now()
		queue.close()
		got := fmt.Sprintf("%q", reader.writes)
		if got != `["first\n" "second\nof two\n" "third\n"]` || time.Since(begin) != 0 {
			t.Errorf("after %s these are written: %s", time.Since(begin), got)
		}
		io.WriteString(queue, "of a request that is still answered\n")
	})
}

// A queue that is full makes no writer wait: further lines are counted, and reported once, when no
// line waits any more.
func TestQueueCountsWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reader := newSlowReader()
		queue := newLineQueue(reader, report)
		io.WriteString(queue, "in the writer's hands\n")
		synctest.Wait()
		for range queueLines {
			io.WriteString(queue, "kept\n")
		}
		for range 7 {
			io.WriteString(queue, "lost\n")
		}
		close(reader.mayRead)
		synctest.Wait()
		io.WriteString(queue, "later\n")
		queue.close()
		want := "in the writer's hands\n" + strings.Repeat("kept\n", queueLines) + "7 lost\nlater\n"
		if got := strings.Join(reader.writes, ""); got != want {
			t.Errorf("%d lines are written, which end in %q", len(reader.writes),
				reader.writes[max(0, len(reader.writes)-3):])
		}
	})
}

// Lines that cannot be written, as on a full disk, are lost, too, and so is a report.
func TestQueueOfWritesThatFail(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reader := newSlowReader()
		close(reader.mayRead)
		queue := newLineQueue(reader, report)
		reader.setError(errors.New("the disk is full"))
		for range 3 {
			io.WriteString(queue, "lost\n")
			synctest.Wait()
		}
		reader.setError(nil)
		io.WriteString(queue, "kept\n")
		queue.close()
		if got := strings.Join(reader.writes, ""); got != "kept\n3 lost\n" {
			t.Errorf("this is written: %q", got)
		}
	})
}

// The end waits for a slow reader, but not for one that is gone.
func TestQueueEnds(t *testing.T) {
	t.Parallel()
	for reads, want := range map[int]struct {
		took  time.Duration
		lines int
	}{
		3: {1500 * time.Millisecond, 3},
		1: {2 * time.Second, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			reader := newSlowReader()
			queue := newLineQueue(reader, report)
			io.WriteString(queue, "1\n")
			io.WriteString(queue, "2\n")
			io.WriteString(queue, "3\n")
			go func() {
				for range reads {
					time.Sleep(500 * time.Millisecond)
					reader.mayRead <- struct{}{}
				}
			}()
			begin := time.Now()
			queue.close()
			synctest.Wait()
			if took := time.Since(begin); took != want.took || len(reader.writes) != want.lines {
				t.Errorf("after %s these are written: %q", took, reader.writes)
			}
			close(reader.mayRead) // so that no goroutine is left
		})
	}
}
