package main

import (
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
var limitFiles = []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}

// tuneCollector makes the garbage collector of a server run less often than by default,
// and near the memory limit of the container more often, since the engine kills a process
// that exceeds it. The variables GOGC and GOMEMLIMIT of the Go runtime override that.
func (p *process) tuneCollector() {
	if p.environ["GOGC"] == "" {
		debug.SetGCPercent(collectPercent)
	}
	for _, file := range limitFiles {
		text, _ := os.ReadFile(file)
		limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err == nil && p.environ["GOMEMLIMIT"] == "" {
			debug.SetMemoryLimit(limit - limit/8)
		}
	}
}
