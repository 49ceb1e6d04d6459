package report

import (
	"flag"
	"fmt"
	"io"
	"sync"
)

// A fuzzTest is a TB with the methods of *testing.F that other tests do not have.
type fuzzTest interface {
	TB
	Name() string
	Skipped() bool
	Fuzz(target any)
}

// A fuzzTB is the TB of a fuzz test. While the fuzz target runs, no method of a *testing.F that
// reports may be called. So the fuzzTB keeps what is to be reported until the test ends.
type fuzzTB struct {
	fuzzTest
	output io.Writer // the output of the test; nil if it has none

	mu       sync.Mutex
	failures firstTexts
	lines    firstTexts
}

// Helper does nothing: a failure that is reported at the end has no line of the test.
func (f *fuzzTB) Helper() {}

// Errorf keeps a failure.
func (f *fuzzTB) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures.add(fmt.Sprintf(format, args...))
}

// Logf keeps a line of the log.
func (f *fuzzTB) Logf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lines.add(fmt.Sprintf(format, args...))
}

// Failed reports whether the test has failed, or will fail when it ends.
func (f *fuzzTB) Failed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.failures.texts) > 0 || f.fuzzTest.Failed()
}

// report reports to the test what was kept. It is called when the target has returned for the last
// time.
func (f *fuzzTB) report() {
	f.mu.Lock()
	failures := f.failures.all()
	lines := f.lines.all()
	f.failures = firstTexts{}
	f.lines = firstTexts{}
	f.mu.Unlock()
	for _, line := range lines {
		writeLine(f.fuzzTest, f.output, line)
	}
	for _, failure := range failures {
		f.fuzzTest.Errorf("%s", failure)
	}
}

// mostTexts is how many texts are kept. A fuzz target can be called a million times.
const mostTexts = 100

// firstTexts are the first texts that were added, and the number of all others.
type firstTexts struct {
	texts []string
	more  int
}

func (f *firstTexts) add(text string) {
	if len(f.texts) == mostTexts {
		f.more++
		return
	}
	f.texts = append(f.texts, text)
}

// all returns the texts. If there were more, a last text says how many.
func (f *firstTexts) all() []string {
	if f.more == 0 {
		return f.texts
	}
	return append(f.texts, fmt.Sprintf("campaignfake: … and %d more", f.more))
}

// isFuzzed reports whether go test has called a fuzz test with -fuzz. Then another process calls
// its target, or the target is not called to the end. So nothing can be said about what is missing.
func isFuzzed(tb TB) bool {
	_, isFuzzTest := tb.(*fuzzTB)
	pattern := flag.Lookup("test.fuzz") // package testing has no function that returns it
	return isFuzzTest && pattern != nil && pattern.Value.String() != ""
}
