package fake

import (
	"strings"
	"sync"
)

// TB is the part of testing.TB that a test server needs. *testing.T and *testing.B
// implement it. Until the cleanup has run, Errorf and Logf are also called from the
// goroutines of requests, several at once.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
	Logf(format string, args ...any)
}

// A test reports failures to a TB until the test has ended: after that, Errorf would
// end the process. Its Helper is that of the TB, so that a failure names the line of the
// test that called, not one of this package.
type test struct {
	TB
	strict bool // fail reports failures

	mu    sync.RWMutex
	ended bool
}

// A noTest is the TB of servers that report to nobody.
type noTest struct{}

func (noTest) Helper()               {}
func (noTest) Cleanup(func())        {}
func (noTest) Errorf(string, ...any) {}
func (noTest) Fatalf(string, ...any) {}
func (noTest) Failed() bool          { return false }
func (noTest) Logf(string, ...any)   {}

// fail fails the test if it is strict.
func (t *test) fail(format string, args ...any) {
	t.Helper()
	if t.strict {
		t.errorf(format, args...)
	}
}

// refuse returns the error of a call, and fails the test if there is one, strict or
// not.
func (t *test) refuse(call string, err error) error {
	t.Helper()
	if err != nil {
		t.errorf("campaignfake: %s: %v", call, err)
	}
	return err
}

func (t *test) errorf(format string, args ...any) {
	t.Helper()
	t.mu.RLock()
	defer t.mu.RUnlock()
	if !t.ended {
		t.Errorf(format, args...)
	}
}

// Write writes a line to the log of the test.
func (t *test) Write(line []byte) (int, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if !t.ended {
		t.Logf("campaignfake: %s", strings.TrimSuffix(string(line), "\n"))
	}
	return len(line), nil
}

// end is called when the test ends.
func (t *test) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
}
