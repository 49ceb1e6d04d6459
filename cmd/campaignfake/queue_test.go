package main

import (
	"bytes"
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
func report(lost int) []byte {
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

// text returns what was read, and what it was written in.
func (r *slowReader) text() (text string, writes []string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return strings.Join(r.writes, ""), r.writes
}

// lineOf returns a line of so many bytes.
func lineOf(length int) []byte {
	return append(bytes.Repeat([]byte("a"), length-1), '\n')
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
		synctest.Wait()
		if text, _ := reader.text(); text != "first\n" {
			t.Errorf("the line alone is written as %q", text)
		}

		queue.Write([]byte("second\nof two\n"))
		queue.Write([]byte("third\n"))
		begin := time.Now()
		queue.close()
		text, writes := reader.text()
		if text != "first\nsecond\nof two\nthird\n" || len(writes) != 3 {
			t.Errorf("these are written: %q", writes)
		}
		if time.Since(begin) != 0 {
			t.Errorf("the end took %s", time.Since(begin))
		}
	})
}

// Lines that nobody reads are kept up to a number of bytes. What does not fit is counted, and
// reported in its place, once half of the queue is free.
func TestQueueCountsWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reader := newSlowReader()
		queue := newLineQueue(reader, report)
		queue.Write([]byte("in the writer's hands\n"))
		synctest.Wait()

		const length = queueBytes / 8
		for range 8 {
			queue.Write(lineOf(length))
		}
		queue.Write([]byte("lost\n"))
		queue.Write([]byte("lost, too\n"))
		for range 3 { // which leaves six of eight
			reader.mayRead <- struct{}{}
		}
		synctest.Wait()
		queue.Write([]byte("still lost\n"))
		for range 2 { // four of eight, and room for a line
			reader.mayRead <- struct{}{}
		}
		synctest.Wait()
		queue.Write([]byte("kept\n"))
		close(reader.mayRead)
		synctest.Wait()

		text, _ := reader.text()
		want := "in the writer's hands\n" + strings.Repeat(string(lineOf(length)), 8) +
			"3 lost\nkept\n"
		if text != want {
			t.Errorf("%d bytes are written, want %d; they end in %q",
				len(text), len(want), last(text, 30))
		}
		queue.close()
	})
}

// What was lost is reported when the reader is there again, also if no further line comes.
func TestQueueReportsWithoutAFurtherLine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reader := newSlowReader()
		queue := newLineQueue(reader, report)
		queue.Write(lineOf(queueBytes))
		synctest.Wait()
		queue.Write(lineOf(queueBytes))
		queue.Write([]byte("lost\n"))
		close(reader.mayRead)
		synctest.Wait()
		if text, _ := reader.text(); !strings.HasSuffix(text, "a\n1 lost\n") {
			t.Errorf("the end is %q", last(text, 30))
		}
		queue.close()
	})
}

// Lines that cannot be written, as on a full disk, are lost, too, and so is a report. Nothing is
// tried again before the next line comes.
func TestQueueOfWritesThatFail(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reader := newSlowReader()
		close(reader.mayRead)
		queue := newLineQueue(reader, report)
		reader.setError(errors.New("the disk is full"))
		for range 3 {
			queue.Write([]byte("lost\n"))
			synctest.Wait()
		}
		reader.setError(nil)
		synctest.Wait()
		if text, _ := reader.text(); text != "" {
			t.Errorf("without a further line %q is written", text)
		}
		queue.Write([]byte("kept\n"))
		queue.close()
		if text, _ := reader.text(); text != "3 lost\nkept\n" {
			t.Errorf("this is written: %q", text)
		}
	})
}

// At the end, lines have two seconds. What a reader has not taken until then is lost, so that there
// is room for the summary, which has one second more.
func TestQueueEnds(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		pause time.Duration // before each write that the reader takes
		reads int
		took  time.Duration
		want  string
	}{
		"at once": {0, 6, 0, "1\n2\n3\n4\n5\nsummary\n"},
		"slow": {
			pause: 390 * time.Millisecond,
			reads: 6,
			took:  2340 * time.Millisecond,
			want:  "1\n2\n3\n4\n5\nsummary\n",
		},
		"too slow": {
			pause: 700 * time.Millisecond,
			reads: 4,
			took:  3000 * time.Millisecond,
			want:  "1\n2\n3\n2 lost\n",
		},
		"nobody is there": {0, 0, 3 * time.Second, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				reader := newSlowReader()
				queue := newLineQueue(reader, report)
				for i := range 5 {
					fmt.Fprintf(queue, "%d\n", i+1)
				}
				go func() {
					for range tt.reads {
						time.Sleep(tt.pause)
						reader.mayRead <- struct{}{}
					}
				}()
				begin := time.Now()
				queue.drain()
				io.WriteString(queue, "summary\n")
				queue.close()
				text, _ := reader.text()
				if took := time.Since(begin); took != tt.took || text != tt.want {
					t.Errorf("after %s this is written: %q; want %s and %q",
						took, text, tt.took, tt.want)
				}
				close(reader.mayRead) // so that no goroutine is left
			})
		})
	}
}

// A queue in which no line waits ends at once, though its goroutine waits for a line.
func TestEmptyQueueEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := newLineQueue(io.Discard, report)
		synctest.Wait()
		begin := time.Now()
		queue.drain()
		queue.close()
		if took := time.Since(begin); took != 0 {
			t.Errorf("the end took %s", took)
		}
	})
}

// A queue that is full at the end has room for the summary, which stands behind the number of the
// lines that were lost.
func TestFullQueueEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reader := newSlowReader()
		queue := newLineQueue(reader, report)
		queue.Write([]byte("in the writer's hands\n"))
		synctest.Wait()
		queue.Write(lineOf(queueBytes))
		queue.drain()
		io.WriteString(queue, "summary\n")
		close(reader.mayRead)
		queue.close()
		text, _ := reader.text()
		want := "in the writer's hands\n1 lost\nsummary\n"
		if text != want {
			t.Errorf("%d bytes are written, which end in %q; want %q",
				len(text), last(text, 60), want)
		}
	})
}

// Lines of many goroutines are not mixed, and none is lost that is not counted.
func TestQueueOfManyWriters(t *testing.T) {
	t.Parallel()
	read, write := io.Pipe()
	queue := newLineQueue(write, report)
	var writers sync.WaitGroup
	const each, line = 2000, "a line that is long enough to fill the queue with some of " +
		"the others\n"
	for range 20 {
		writers.Go(func() {
			for range each {
				io.WriteString(queue, line)
			}
		})
	}
	writers.Wait()
	text := make(chan string)
	go func() {
		all, _ := io.ReadAll(read)
		text <- string(all)
	}()
	queue.drain()
	queue.close()
	write.Close()

	found := 0
	for got := range strings.Lines(<-text) {
		lost := 0
		if got == line {
			found++
		} else if _, err := fmt.Sscanf(got, "%d lost\n", &lost); err != nil {
			t.Fatalf("a line is %q", got)
		}
		found += lost
	}
	if found != 20*each {
		t.Errorf("%d lines are written or counted, want %d", found, 20*each)
	}
}

// last returns the end of a text.
func last(text string, length int) string {
	return text[max(0, len(text)-length):]
}
