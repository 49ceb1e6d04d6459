package report

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
)

// A Main is the TB of a server that all tests of a package share.
type Main struct {
	mu       sync.Mutex
	failed   bool
	cleanups []func()
}

// Complete calls a function, and reports whether Fatalf has not ended it.
func (t *Main) Complete(f func()) (completed bool) {
	done := make(chan struct{})
	go func() { // which Fatalf ends
		defer close(done)
		f()
		completed = true
	}()
	<-done
	return completed
}

// End calls what Cleanup was given, the last first.
func (t *Main) End() {
	for _, f := range slices.Backward(t.cleanups) {
		t.Complete(f)
	}
}

func (*Main) Helper()             {}
func (*Main) Logf(string, ...any) {}

func (t *Main) Cleanup(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cleanups = append(t.cleanups, f)
}

func (t *Main) Failed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed
}

func (t *Main) Errorf(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failed = true
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}

func (t *Main) Fatalf(format string, args ...any) {
	t.Errorf(format, args...)
	runtime.Goexit()
}
