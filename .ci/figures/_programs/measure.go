// The programs in this folder are compiled inside the module of each commit that is
// measured, by go build -overlay. Each uses as little of campaignfake's API as it
// can, so that it compiles with older and newer commits. This file is part of each.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// measure runs the function that the flag -of names as often as -n says. It prints,
// for each run, nanoseconds that went by, nanoseconds of CPU and allocations; then
// the most memory that the process had, in KiB. A tenth as many runs come before
// that, to warm up.
func measure(functions map[string]func()) {
	n := flag.Int("n", 1, "how often to run")
	name := flag.String("of", "", "what to run: own or reference")
	flag.Parse()
	run, ok := functions[*name]
	if !ok {
		fail(fmt.Errorf("-of %q is neither own nor reference", *name))
	}
	for range *n / 10 {
		run()
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin, used := time.Now(), cpu()
	for range *n {
		run()
	}
	spent := time.Since(begin)
	used = cpu() - used
	runtime.ReadMemStats(&after)
	count := float64(*n)
	fmt.Println(float64(spent.Nanoseconds())/count, float64(used)/count, float64(after.Mallocs-before.Mallocs)/count, peak())
}

// cpu returns the CPU time of the process in nanoseconds, that of the garbage
// collector included.
func cpu() int64 {
	var usage syscall.Rusage
	fail(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage.Utime.Nano() + usage.Stime.Nano()
}

// peak returns the most memory that the process has had, in KiB.
func peak() int {
	status, err := os.ReadFile("/proc/self/status")
	fail(err)
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kib, err := strconv.Atoi(strings.Fields(after)[0])
	fail(err)
	return kib
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A tb stands for the test that a server belongs to. The embedded interface is nil:
// it only makes a tb a testing.TB.
type tb struct {
	testing.TB
	cleanups []func()
}

func (t *tb) Helper()                   {}
func (t *tb) Name() string              { return "figures" }
func (t *tb) Cleanup(f func())          { t.cleanups = append(t.cleanups, f) }
func (t *tb) Failed() bool              { return false }
func (t *tb) Skipped() bool             { return false }
func (t *tb) Log(args ...any)           { fmt.Fprintln(io.Discard, args...) }
func (t *tb) Logf(f string, a ...any)   { fmt.Fprintf(io.Discard, f, a...) }
func (t *tb) Error(args ...any)         { fail(fmt.Errorf("%s", fmt.Sprint(args...))) }
func (t *tb) Errorf(f string, a ...any) { fail(fmt.Errorf(f, a...)) }
func (t *tb) Fatal(args ...any)         { fail(fmt.Errorf("%s", fmt.Sprint(args...))) }
func (t *tb) Fatalf(f string, a ...any) { fail(fmt.Errorf(f, a...)) }

// end does what happens at the end of a test.
func (t *tb) end() {
	for i := len(t.cleanups) - 1; i >= 0; i-- {
		t.cleanups[i]()
	}
}
