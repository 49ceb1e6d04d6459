package main

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

const (
	// collectPercent is the GOGC of the process: how much the heap may grow, in percent
	// of the live heap, before a collection. The live heap is small, mostly the word
	// lists of the generator, and marking it costs more than a request.
	collectPercent = 200

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

// usableMemory returns how many bytes of memory the process may use, by its control
// groups or by GOMEMLIMIT, whichever is less. It is 0 if there is no limit.
func usableMemory() int64 {
	limit := memoryLimit()
	if os.Getenv("GOMEMLIMIT") != "" {
		limit = min(limit, debug.SetMemoryLimit(-1)) // which changes nothing
	}
	if limit >= noLimit {
		return 0
	}
	return limit
}

// noLimit is more memory than any machine has: what the kernel says of a group without
// a limit is the largest number that it can.
const noLimit = 1 << 60

// memoryLimit returns the memory limit of the container in bytes: the lowest of the
// control groups that the process is in. It is MaxInt64 if there is none, or it is not
// known. A server does not follow changes of it.
var memoryLimit = sync.OnceValue(func() int64 { return groupLimit("/") })

// groupLimit returns the memory limit of the process's control groups in a file system.
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
