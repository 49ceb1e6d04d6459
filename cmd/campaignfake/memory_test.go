package main

import (
	"math"
	"testing"
)

// The runtime keeps below the limit of the container, since the process also needs memory that the
// runtime does not count.
func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	unlimited := file(t, "memory.max", "max\n")
	limited := file(t, "memory.limit_in_bytes", "134217728\n")
	if got := memoryLimit("/no/container", unlimited, limited); got != 112<<20 {
		t.Errorf("the limit is %d bytes, want 112 MiB", got)
	}
	if got := memoryLimit("/no/container", unlimited); got != math.MaxInt64 {
		t.Errorf("the limit is %d bytes, want none", got)
	}
}
