// Package report reports failures of a server to the test that uses it.
package report

import (
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
)

// TB is the one of package fake, which describes it.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
	Logf(format string, args ...any)
}

// A Test reports failures to a TB until the test has ended: after that, Errorf would
// end the process. Its Helper is that of the TB, so that a failure names the line of the
// test that called, not one of this package.
type Test struct {
	TB
	Strict bool // what is wrong with requests and replies fails the test

	mu    sync.RWMutex
	ended bool
}

// A NoTest is the TB of servers that report to nobody.
type NoTest struct{}

func (NoTest) Helper()               {}
func (NoTest) Cleanup(func())        {}
func (NoTest) Errorf(string, ...any) {}
func (NoTest) Fatalf(string, ...any) {}
func (NoTest) Failed() bool          { return false }
func (NoTest) Logf(string, ...any)   {}

// Fail fails the test if it is strict. It is called in the goroutines of requests, where
// a panic of Errorf, with which some frameworks end a test, would end the connection.
func (t *Test) Fail(format string, args ...any) {
	t.Helper()
	defer func() { recover() }()
	if t.Strict {
		t.errorf(format, args...)
	}
}

// Refuse returns the error of a call, and fails the test if there is one, strict or not.
func (t *Test) Refuse(call string, err error) error {
	t.Helper()
	if err != nil {
		t.errorf("campaignfake: %s: %v", call, err)
	}
	return err
}

// Panicked fails a strict test because a handler has panicked on a request, and continues
// the panic.
func (t *Test) Panicked(request string, p any) {
	if p != http.ErrAbortHandler {
		t.Fail("campaignfake: the handler panicked on %s: %v\n%s", request, p, debug.Stack())
	}
	panic(p)
}

func (t *Test) errorf(format string, args ...any) {
	t.Helper()
	t.mu.RLock()
	defer t.mu.RUnlock()
	if !t.ended {
		t.Errorf(format, args...)
	}
}

// Write writes a line to the log of the test.
func (t *Test) Write(line []byte) (int, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if !t.ended {
		t.Logf("campaignfake: %s", strings.TrimSuffix(string(line), "\n"))
	}
	return len(line), nil
}

// runs reports whether there is a test, and it has not ended.
func (t *Test) runs() bool {
	if t == nil {
		return false
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return !t.ended
}

// End is called when the test ends.
func (t *Test) End() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
}
