// Package report tells the test that uses a server what goes wrong:
//
//	report.go    a test, of which several goroutines report failures until it has ended
//	log.go       the log of a test, to which its part of the server's log is written
//	fuzz.go      a fuzz test, which is told all when it ends
//	sharing.go   the tests that share a server, each with the tokens that are its own
//	unplayed.go  replies that a test gave, and that were not played
//	listing.go   the requests that a message lists
//
// It stands above journal, whose requests it lists, and below engine, which has the tests of a
// server.
package report

import (
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
)

// TB is that of package fake, which describes it.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
	Logf(format string, args ...any)
}

// A NoTest is the TB of servers that report to nobody.
type NoTest struct{}

func (NoTest) Helper()               {}
func (NoTest) Cleanup(func())        {}
func (NoTest) Errorf(string, ...any) {}
func (NoTest) Fatalf(string, ...any) {}
func (NoTest) Failed() bool          { return false }
func (NoTest) Logf(string, ...any)   {}

// A Test is a TB that reports nothing after the test has ended, when Errorf, Fatalf and Logf of
// package testing would end the process. Its Helper is that of the TB, so that a failure names the
// line of the test that called, not one of this package.
type Test struct {
	TB
	Strict bool         // what is wrong with requests and replies fails the test
	Log    *slog.Logger // writes to the log of the test

	output io.Writer // of the log; nil if the TB has none
	mu     sync.RWMutex
	ended  bool
}

// New returns a Test of a TB. It is called before the target of a fuzz test is.
func New(tb TB) *Test {
	t := &Test{TB: tb, output: outputOf(tb)}
	fuzz, isFuzzTest := tb.(fuzzTest)
	if isFuzzTest {
		t.TB = &fuzzing{fuzzTest: fuzz, output: t.output}
		t.output = nil
	}
	t.Log = newLog(t)
	return t
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
	if !t.hasEnded() {
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

// End is called when the test ends. It returns when nobody reports any more.
func (t *Test) End() {
	t.mu.Lock()
	t.ended = true
	t.mu.Unlock()
	fuzz, isFuzzTest := t.TB.(*fuzzing)
	if isFuzzTest {
		fuzz.tell()
	}
}

// hasEnded reports whether End was called.
func (t *Test) hasEnded() bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.ended
}

// Fail fails the test if it is strict. The goroutines of requests call it: some frameworks end a
// test by a panic of Errorf, which would also end the connection, and is recovered.
func (t *Test) Fail(format string, args ...any) {
	t.Helper()
	if !t.Strict {
		return
	}
	defer func() { recover() }()
	t.Errorf(format, args...)
}

// Refuse returns the error of a call, and fails the test if there is one, strict or not.
func (t *Test) Refuse(call string, err error) error {
	t.Helper()
	if err != nil {
		t.Errorf("campaignfake: %s: %v", call, err)
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
