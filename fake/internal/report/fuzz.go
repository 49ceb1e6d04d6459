package report

import (
	"flag"
	"fmt"
	"io"
	"sync"
)

// fuzzTest is the part of *testing.F by which it is told from other tests.
type fuzzTest interface {
	TB
	Name() string
	Skipped() bool
	Fuzz(target any)
}

// A fuzzing is the TB of a *testing.F. Inside of a fuzz target, and in the goroutines of requests
// that the target sends, nothing of an F may be called that reports. What is to be reported is kept
// until the test ends.
type fuzzing struct {
	fuzzTest
	output io.Writer // of its log; nil if it has none

	mu       sync.Mutex
	failures kept
	lines    kept
}

// Helper does nothing: a failure that is told at the end has no line of the test.
func (f *fuzzing) Helper() {}

// Errorf keeps a failure.
func (f *fuzzing) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures.add(fmt.Sprintf(format, args...))
}

// Logf keeps a line of the log.
func (f *fuzzing) Logf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lines.add(fmt.Sprintf(format, args...))
}

// Failed reports whether the test has failed, or will when it ends.
func (f *fuzzing) Failed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.failures.texts) > 0 || f.fuzzTest.Failed()
}

// tell tells the test what was kept. It is called when the target has returned for the last time.
func (f *fuzzing) tell() {
	f.mu.Lock()
	failures := f.failures.all()
	lines := f.lines.all()
	f.failures = kept{}
	f.lines = kept{}
	f.mu.Unlock()
	for _, line := range lines {
		writeLine(f.fuzzTest, f.output, line)
	}
	for _, failure := range failures {
		f.fuzzTest.Errorf("%s", failure)
	}
}

// mostKept is how many texts of a kind are kept. A fuzz target can be called a million times.
const mostKept = 100

// kept are the first texts of those that were added.
type kept struct {
	texts []string
	more  int // how many came after them
}

func (k *kept) add(text string) {
	if len(k.texts) == mostKept {
		k.more++
		return
	}
	k.texts = append(k.texts, text)
}

// all returns the texts, and one more that says how many are not among them.
func (k *kept) all() []string {
	if k.more == 0 {
		return k.texts
	}
	return append(k.texts, fmt.Sprintf("campaignfake: … and %d more", k.more))
}

// isFuzzed reports whether a test is called by go test with -fuzz. Then its target is called in
// another process, or not to the end, so that nothing can be said about what is missing.
func isFuzzed(tb TB) bool {
	_, isFuzzTest := tb.(*fuzzing)
	pattern := flag.Lookup("test.fuzz") // which no function of package testing tells
	return isFuzzTest && pattern != nil && pattern.Value.String() != ""
}
