package fake

import (
	"strings"
	"sync"
)

// TB is the part of testing.TB that a test server needs. A *testing.T and a
// *testing.B are one. Errorf and Logf are called from the goroutines of requests
// as well, several at once, until the cleanup has run.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
	Logf(format string, args ...any)
}

// A test hears of failures until it has ended; what comes after that would be
// reported to no test, or end the process. A nil *test hears of nothing.
type test struct {
	tb     TB
	strict bool // requests that no client should send are failures

	mu    sync.RWMutex
	ended bool
}

// Helper marks its caller as a helper of the test.
func (t *test) Helper() {
	if t != nil {
		t.tb.Helper()
	}
}

// fail fails a strict test.
func (t *test) fail(format string, args ...any) {
	if t != nil && t.strict {
		t.errorf(format, args...)
	}
}

// refuse fails the test, strict or not, if a call was refused, and returns its
// error.
func (t *test) refuse(call string, err error) error {
	if t != nil && err != nil {
		t.tb.Helper()
		t.errorf("campaignfake: %s: %v", call, err)
	}
	return err
}

func (t *test) errorf(format string, args ...any) {
	t.tb.Helper()
	t.mu.RLock()
	defer t.mu.RUnlock()
	if !t.ended {
		t.tb.Errorf(format, args...)
	}
}

// Write writes a line to the log of the test.
func (t *test) Write(line []byte) (int, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if !t.ended {
		t.tb.Logf("campaignfake: %s", strings.TrimSuffix(string(line), "\n"))
	}
	return len(line), nil
}

// end is called when the test ends.
func (t *test) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
}
