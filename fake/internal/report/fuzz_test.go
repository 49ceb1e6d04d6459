package report_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/report"
)

// A fuzzTest is a fuzz test. While its target runs, it panics as a *testing.F does.
type fuzzTest struct {
	recorder
	output   strings.Builder
	inTarget bool
}

func (f *fuzzTest) check() {
	if f.inTarget {
		panic("called inside the fuzz target")
	}
}

func (f *fuzzTest) Fuzz(target any) {
	f.inTarget = true
	target.(func())()
	f.inTarget = false
}

func (f *fuzzTest) Helper()           { f.check() }
func (f *fuzzTest) Skipped() bool     { f.check(); return false }
func (f *fuzzTest) Output() io.Writer { f.check(); return &f.output }
func (f *fuzzTest) Logf(format string, args ...any) {
	f.check()
	f.recorder.Logf(format, args...)
}
func (f *fuzzTest) Errorf(format string, args ...any) {
	f.check()
	f.recorder.Errorf(format, args...)
}

// A fuzz test is told when it ends what happened while its target ran.
func TestFuzzTest(t *testing.T) {
	t.Parallel()
	f := new(fuzzTest)
	test := report.New(f)
	test.Strict = true
	f.Fuzz(func() {
		test.Helper()
		test.Log.Info("request", "status", 404)
		test.Fail("a request matched nothing")
		test.Refuse("SetUser", fmt.Errorf("no"))
	})
	if !test.Failed() || f.Failed() {
		t.Errorf("before its end, the test has failed: %t, and was told: %q",
			test.Failed(), f.failures)
	}
	test.ReportUnplayed(unplayed[:1], nil, 0)
	test.End()
	test.Fail("late")
	test.End()
	expectTold(t, "failures", f.failures, "a request matched nothing", "campaignfake: SetUser: no")
	const log = "campaignfake: level=INFO status=404\n" + toldWithoutRequests + "\n"
	if got := f.output.String(); got != log {
		t.Errorf("the log is\n%s\nwant\n%s", got, log)
	}
}

// A fuzz test has failed if it says so itself, or if it will be told a failure when it ends.
func TestFuzzTestHasFailed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		fail      func(f *fuzzTest, test *report.Test)
		hasFailed bool
	}{
		{"neither", func(*fuzzTest, *report.Test) {}, false},
		{"by itself", func(f *fuzzTest, _ *report.Test) { f.recorder.Errorf("wrong") }, true},
		{"at its end", func(_ *fuzzTest, test *report.Test) { test.Errorf("wrong") }, true},
	} {
		f := new(fuzzTest)
		test := report.New(f)
		tt.fail(f, test)
		if got := test.Failed(); got != tt.hasFailed {
			t.Errorf("%s: it has failed: %t, want %t", tt.name, got, tt.hasFailed)
		}
	}
}

// Of what a fuzz test would be told a million times, it is told the first hundred.
func TestFuzzTestIsToldSome(t *testing.T) {
	t.Parallel()
	f := new(fuzzTest)
	test := report.New(f)
	test.Strict = true
	f.Fuzz(func() {
		for i := range 102 {
			test.Fail("failure %d", i)
			test.Log.Info("request", "number", i)
		}
	})
	test.End()
	const last = "campaignfake: … and 2 more"
	if len(f.failures) != 101 || f.failures[99] != "failure 99" || f.failures[100] != last {
		t.Errorf("the failures are %q", f.failures)
	}
	const end = "number=99\n" + last + "\n"
	if got := f.output.String(); strings.Count(got, "\n") != 101 || !strings.HasSuffix(got, end) {
		t.Errorf("the log is\n%s", got)
	}
}
