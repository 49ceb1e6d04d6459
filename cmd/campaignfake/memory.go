package main

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// memoryLimit returns how much memory the container may take in bytes, MaxInt64 if
// that is not limited, or not known.
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

// respectMemory has the collector work harder when a small container fills up,
// rather than let the engine kill the process without a word, and reports whether
// there is memory to spare.
func respectMemory() (spare bool) {
	limit := memoryLimit()
	if limit > plentyOfMemory {
		return true
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit - limit/8)
	}
	return false
}

const plentyOfMemory = 256 << 20
