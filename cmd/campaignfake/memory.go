package main

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// collectPercent is the GOGC of a server: how much the heap may grow, in percent of the
// live heap, before a collection. The live heap is small, mostly the word lists of the
// generator, and marking it costs more than a request.
const collectPercent = 200

// limitFiles have the memory limit of the container in bytes, or max: of cgroup 2, or 1.
var limitFiles = []string{
	"/sys/fs/cgroup/memory.max",
	"/sys/fs/cgroup/memory/memory.limit_in_bytes",
}

// tuneCollector makes the garbage collector of a server run less often than by default,
// and near the memory limit of the container more often, since the engine kills a process
// that exceeds it. The variables GOGC and GOMEMLIMIT of the Go runtime override that.
func (p *process) tuneCollector() {
	if p.environ["GOGC"] == "" {
		debug.SetGCPercent(collectPercent)
	}
	if p.environ["GOMEMLIMIT"] == "" {
		debug.SetMemoryLimit(memoryLimit(limitFiles...))
	}
}

// memoryLimit returns how much memory the Go runtime should use at most: 7/8 of the number in the
// first file that has a number, since the process also needs memory that the Go runtime does not
// count. Outside of a container no file has a number, and there is no limit.
func memoryLimit(files ...string) int64 {
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err == nil {
			return limit - limit/8
		}
	}
	return math.MaxInt64
}
