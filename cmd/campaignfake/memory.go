package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

const (
	// collectPercent is the GOGC of a server: how much the heap may grow, in percent
	// of the live heap, before a collection. The live heap is small, mostly the word
	// lists of the generator, and marking it costs more than a request.
	collectPercent = 200

	// smallMemory is the memory in bytes up to which a server has no room for that: what it
	// may use in a container of 256 MiB.
	smallMemory = 224 << 20
)

// limitMemory makes the garbage collector run more often near the memory limit of the
// container, since the engine kills a process that exceeds the limit. A lower GOMEMLIMIT
// overrides that. It returns how many bytes the process may use, 0 if there is no limit.
// Later changes of the limit have no effect.
func limitMemory() int64 {
	limit := groupLimit("/")
	limit = min(limit-limit/8, debug.SetMemoryLimit(-1)) // which changes nothing
	if limit >= noLimit {
		return 0
	}
	debug.SetMemoryLimit(limit)
	return limit
}

// tuneCollector makes the garbage collector of a server run less often than by default,
// unless the memory is small. The variable GOGC of the Go runtime overrides that.
func (p *process) tuneCollector() {
	if isSmall := 0 < p.memory && p.memory <= smallMemory; !isSmall && p.getenv("GOGC") == "" {
		debug.SetGCPercent(collectPercent)
	}
}

// returnInterval is how often returnMemory looks.
const returnInterval = 15 * time.Second

// returnMemory gives memory back to the system once the server has become idle, until ctx
// is done. The collector alone would keep what a burst of requests needed, because it runs
// when memory is allocated.
func returnMemory(ctx context.Context) {
	ticker := time.NewTicker(returnInterval)
	defer ticker.Stop()
	for seen, returned := int64(0), int64(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now := collections()
		if now == seen && now != returned {
			debug.FreeOSMemory()
			now = collections()
			returned = now
		}
		seen = now
	}
}

// collections returns how often the collector has run.
func collections() int64 {
	var stats debug.GCStats
	debug.ReadGCStats(&stats)
	return stats.NumGC
}

// noLimit is more memory than any machine has. If a group has no limit, the kernel gives
// the largest number that it can.
const noLimit = 1 << 60

// groupLimit returns the memory limit of the container in bytes, given the root of its
// file system: the lowest of the control groups that the process is in. It is MaxInt64 if
// there is none, or it is not known.
func groupLimit(root string) int64 {
	limit := int64(math.MaxInt64)
	groups, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	for line := range strings.Lines(string(groups) + "\n0::/\n0:memory:/\n") {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, found := strings.Cut(rest, ":")
		folder, file := "sys/fs/cgroup", "memory.max"
		if controllers == "memory" { // of version 1
			folder, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		} else if controllers != "" || !found {
			continue
		}
		for ; ; group = filepath.Dir(group) {
			limit = min(limit, limitIn(filepath.Join(root, folder, group, file)))
			if group == "/" || group == "." {
				break
			}
		}
	}
	return limit
}

// limitIn returns the limit in a file, MaxInt64 if there is none.
func limitIn(file string) int64 {
	text, _ := os.ReadFile(file)
	limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || limit <= 0 {
		return math.MaxInt64 // no file, or max
	}
	return limit
}
