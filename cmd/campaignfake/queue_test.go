package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// report returns the line about lost lines in these tests.
func report(lost int64) []byte {
	return fmt.Appendf(nil, "%d lost\n", lost)
}

// A slowReader reads no line before mayRead is closed, and keeps each write.
type slowReader struct {
	mayRead chan struct{}

	mutex  sync.Mutex
	writes []string
	err    error // the result of each write
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

// Each line is one write. Lines that cannot be written, as on a full disk, are lost, and reported
// when that is possible again.
func TestQueueWritesLines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reader := newSlowReader()
		close(reader.mayRead)
		queue := newLineQueue(reader, report)
		reader.setError(errors.New("the disk is full"))
		io.WriteString(queue, "lost\n")
		synctest.Wait()
		reader.setError(nil)
		line := []byte("first\nof two\n")
		queue.Write(line)
		copy(line, "other") // as a slog.Handler does with its memory
		queue.close()
		if got := fmt.Sprintf("%q", reader.writes); got != `["first\nof two\n" "1 lost\n"]` {
			t.Errorf("these are written: %s", got)
		}
	})
}

// A log whose reader is slow makes no writer wait: further lines are counted, and reported once, in
// the format of the others, when no line waits any more.
func TestLogCountsWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	const text = "lines of the log were lost, since they were not read in time"
	for format, want := range map[string]string{
		formatText: `^` + datedTime + `  WARN   ` + text + `  lines=7\n$`,
		formatJSON: `^\{"time":"[^"]+","level":"WARN","msg":"` + text + `","lines":7\}\n$`,
	} {
		synctest.Test(t, func(t *testing.T) {
			reader := newSlowReader()
			flags := logFlags{LogFormat: format, Quiet: true}
			logger, queue := flags.newLog(reader)
			logger.Warn("in the writer's hands")
			synctest.Wait()
			for range queueLines + 7 {
				logger.Warn("further")
			}
			close(reader.mayRead)
			queue.close()
			last := len(reader.writes) - 1
			if last != 1+queueLines || !regexp.MustCompile(want).MatchString(reader.writes[last]) {
				t.Errorf("%d lines are written, and the last is %q", last+1, reader.writes[last])
			}
		})
	}
}

// close waits for a slow reader, but not for a reader that is gone.
func TestQueueEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reader := newSlowReader()
		queue := newLineQueue(reader, report)
		io.WriteString(queue, "1\n")
		io.WriteString(queue, "2\n")
		go func() {
			time.Sleep(1500 * time.Millisecond)
			reader.mayRead <- struct{}{}
		}()
		begin := time.Now()
		queue.close()
		synctest.Wait()
		got := strings.Join(reader.writes, "")
		if took := time.Since(begin); took != closeLimit || got != "1\n" {
			t.Errorf("after %s this is written: %q", took, got)
		}
		close(reader.mayRead) // so that no goroutine is left
	})
}

// On a terminal, where people look at once, lines have the time of the day alone.
func TestTerminal(t *testing.T) {
	t.Parallel()
	device, err := os.Open(os.DevNull) // a character device, as a terminal is
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	regular, err := os.Open(file(t, "log", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer regular.Close()
	if !isTerminal(device) || isTerminal(regular) {
		t.Error("a device is no terminal, or a file is one")
	}
}
