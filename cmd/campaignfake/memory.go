package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

// collectPercent is the GOGC of a server: how much the heap may grow, in percent of the
// live heap, before a collection. The live heap is small, mostly the word lists of the
// generator, and marking it costs more than a request.
const collectPercent = 200

// tuneCollector makes the garbage collector of a server run less often than by default,
// and near the memory limit of the container more often, since the engine kills a process
// that exceeds it. The variables GOGC and GOMEMLIMIT of the Go runtime override that.
func (p *process) tuneCollector() {
	if p.getenv("GOGC") == "" {
		debug.SetGCPercent(collectPercent)
	}
	if limit := containerLimit("/sys/fs/cgroup"); limit > 0 && p.getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit - limit/8)
	}
}

// containerLimit returns the memory limit of the container in bytes, given the folder of
// its control group, 0 if there is none.
func containerLimit(folder string) int64 {
	for _, file := range []string{"memory.max", "memory/memory.limit_in_bytes"} { // of version 2, and 1
		text, _ := os.ReadFile(filepath.Join(folder, file))
		limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err == nil && limit < 1<<60 { // more than any machine has says that there is no limit
			return limit
		}
	}
	return 0
}
