package report

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
)

// A Main is the TB of a server that all tests of a package share. Its log is not written.
type Main struct {
	NoTest
	failed   atomic.Bool
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

func (t *Main) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }
func (t *Main) Failed() bool     { return t.failed.Load() }

func (t *Main) Errorf(format string, args ...any) {
	t.failed.Store(true)
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}

func (t *Main) Fatalf(format string, args ...any) {
	t.Errorf(format, args...)
	runtime.Goexit()
}
