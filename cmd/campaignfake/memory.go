package main

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// collectPercent is the GOGC of a server: how much the heap may grow before a garbage collection,
// in percent of the live heap. The default of Go is 100. With 200 the server collects garbage less
// often, because one collection takes longer than a request. The larger heap costs little memory,
// since the live heap is small.
const collectPercent = 200

// limitFiles are the files of cgroup 2 and of cgroup 1 that have the memory limit of the container,
// in bytes. Without a limit, the file of cgroup 2 has the word max.
var limitFiles = []string{
	"/sys/fs/cgroup/memory.max",
	"/sys/fs/cgroup/memory/memory.limit_in_bytes",
}

// tuneCollector makes the garbage collector run less often than by default. Near the memory limit
// of the container it runs more often, since the system kills a process that exceeds the limit. The
// environment variables GOGC and GOMEMLIMIT of the Go runtime override both settings.
func (p *process) tuneCollector() {
	if p.environ["GOGC"] == "" {
		debug.SetGCPercent(collectPercent)
	}
	if p.environ["GOMEMLIMIT"] == "" {
		debug.SetMemoryLimit(memoryLimit(limitFiles...))
	}
}

// memoryLimit returns how many bytes the Go runtime should use at most: 7/8 of the number in the
// first file that has a number. The last 1/8 is for memory that the Go runtime does not count. If
// no file has a number, there is no limit, and memoryLimit returns math.MaxInt64.
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
