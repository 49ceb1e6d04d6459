// Package report tells the test that uses a server what goes wrong:
//
//	report.go    a test: any goroutine can report a failure to it until it has ended
//	log.go       the log of a test, to which the server writes its lines about this test
//	sharing.go   the tests that share a server, and the run at the end of their tokens
//	unplayed.go  replies that a test gave and that were not played
//	listing.go   the requests that a message lists
//
// Package report imports package journal, which has the requests. Package engine imports package
// report, and knows the tests of a server.
package report

import (
	"errors"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
)

// TB has the methods of fake.TB, which describes them.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
	Logf(format string, args ...any)
}

// A NoTest is the TB of a server without a test. It ignores everything.
type NoTest struct{}

func (NoTest) Helper()               {}
func (NoTest) Cleanup(func())        {}
func (NoTest) Errorf(string, ...any) {}
func (NoTest) Fatalf(string, ...any) {}
func (NoTest) Failed() bool          { return false }
func (NoTest) Logf(string, ...any)   {}

// A Test is a TB that reports nothing after the test has ended, because Errorf, Fatalf and Logf of
// package testing would then end the process. Its Helper is the Helper of the TB, so that a failure
// names a line of the test, and not a line of this package.
type Test struct {
	TB
	Strict bool         // wrong requests, and replies that are not played, fail the test
	Log    *slog.Logger // writes to the log of the test

	output io.Writer // the output of the test; nil if the TB has none
	mu     sync.RWMutex
	ended  bool
}

// New returns a Test for a TB.
func New(tb TB) *Test {
	t := &Test{TB: tb, output: outputOf(tb)}
	t.Log = newLog(t)
	return t
}

// Check returns an error for a TB that is a *testing.F: package testing allows none of its methods
// while the fuzz target runs.
func Check(tb TB) error {
	_, isFuzzTest := tb.(interface{ Fuzz(target any) })
	if !isFuzzTest {
		return nil
	}
	return errors.New("a *testing.F cannot be told what goes wrong in its target; " +
		"make the server in the target, with its *testing.T, and with fake.WithInMemory(), " +
		"since each input would open a port otherwise")
}

// Errorf fails the test, unless it has ended.
func (t *Test) Errorf(format string, args ...any) {
	t.Helper()
	t.mu.RLock()
	defer t.mu.RUnlock()
	if !t.ended {
		t.TB.Errorf(format, args...)
	}
}

// Fatalf ends the test at once, unless it has ended.
func (t *Test) Fatalf(format string, args ...any) {
	t.Helper()
	if !t.HasEnded() {
		t.TB.Fatalf(format, args...)
	}
}

// Logf writes to the log of the test, unless the test has ended.
func (t *Test) Logf(format string, args ...any) {
	t.Helper()
	t.mu.RLock()
	defer t.mu.RUnlock()
	if !t.ended {
		t.TB.Logf(format, args...)
	}
}

// End marks the test as ended. After End has returned, nothing is reported to the test any more.
func (t *Test) End() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
}

// HasEnded reports whether End was called.
func (t *Test) HasEnded() bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.ended
}

// Fail fails the test if it is strict. Goroutines that answer requests call Fail. In some test
// frameworks, Errorf panics to end the test. Such a panic would also break the connection, so Fail
// recovers it.
func (t *Test) Fail(format string, args ...any) {
	t.Helper()
	if !t.Strict {
		return
	}
	defer func() { recover() }()
	t.Errorf(format, args...)
}

// Refuse fails the test if err is not nil, even if the test is not strict. It returns err. The
// argument `call` is the name of the method that has failed. The message shows this name.
func (t *Test) Refuse(call string, err error) error {
	t.Helper()
	if err != nil {
		t.Errorf("campaignfake: %s: %v", call, err)
	}
	return err
}

// FailPanic fails a strict test because a handler has panicked on a request. The function that
// recovers the panic has to call FailPanic, so that the failure shows the stack of the panic.
func (t *Test) FailPanic(request string, p any) {
	t.Fail("campaignfake: the handler panicked on %s: %v\n%s", request, p, debug.Stack())
}
