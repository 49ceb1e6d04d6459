package main

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

const (
	// collectPercent is the GOGC of the process: how much the heap may grow, in percent
	// of the live heap, before a collection. The live heap is small, mostly the word
	// lists of the generator, and marking it costs more than a request.
	collectPercent = 300

	// smallContainer is the memory in bytes up to which a container has no room for
	// that.
	smallContainer = 256 << 20
)

// tuneCollector makes the garbage collector run less often than by default, unless the
// container is small. Near the memory limit of the container it runs more often, since
// the engine kills a process that exceeds the limit. The variables GOGC and GOMEMLIMIT
// of the Go runtime override both.
func tuneCollector() {
	limit := memoryLimit()
	if limit > smallContainer && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectPercent)
	}
	if limit < math.MaxInt64 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit - limit/8)
	}
}

// memoryLimit returns the memory limit of the container in bytes. It is MaxInt64 if
// there is none, or it is not known.
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
