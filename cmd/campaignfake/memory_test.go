package main

import (
	"math"
	"path/filepath"
	"testing"
)

// The runtime keeps below the limit of the container, since the rest of the process needs some of
// it, too.
func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	limited := file(t, "memory.max", "134217728\n")
	unlimited := file(t, "memory.max", "max\n")
	earlier := file(t, "memory.limit_in_bytes", "67108864\n")
	missing := filepath.Join(t.TempDir(), "memory.max")
	tests := map[string]struct {
		files []string
		want  int64
	}{
		"128 MiB":               {[]string{limited, missing}, 112 << 20},
		"of an earlier kernel":  {[]string{missing, earlier}, 56 << 20},
		"the first that has it": {[]string{unlimited, earlier, limited}, 56 << 20},
		"no limit":              {[]string{unlimited, missing}, math.MaxInt64},
		"no container":          {[]string{missing, missing}, math.MaxInt64},
	}
	for name, tt := range tests {
		if got := memoryLimit(tt.files...); got != tt.want {
			t.Errorf("%s: the limit is %d, want %d", name, got, tt.want)
		}
	}
}
