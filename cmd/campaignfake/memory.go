package main

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

const (
	// collectPercent is how much the heap may grow, in percent of what lives in
	// it, until garbage is collected again. Little lives in it, most of it word
	// lists of the generator; marking them costs more than a request does.
	collectPercent = 300

	// smallContainer is the memory in bytes up to which a container is too small
	// for that.
	smallContainer = 256 << 20
)

// tuneCollector makes the garbage collector run less often than by default, unless
// the container is small. As a container fills up it runs more often: beyond the
// limit the engine kills the process without a message. GOGC and GOMEMLIMIT, the
// variables of the Go runtime, have precedence.
func tuneCollector() {
	limit := memoryLimit()
	if limit > smallContainer && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectPercent)
	}
	if limit < math.MaxInt64 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit - limit/8)
	}
}

// memoryLimit returns how many bytes of memory the container may take, MaxInt64 if
// there is no limit, or it is not known.
func memoryLimit() int64 {
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil {
			return limit
		}
	}
	return math.MaxInt64
}
