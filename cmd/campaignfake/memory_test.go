package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// The lowest limit of the control groups counts, wherever the process is among them.
func TestMemoryLimitOfGroups(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"none":                  {nil, math.MaxInt64},
		"version 2":             {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "33554432\n"}, 32 << 20},
		"version 2, no limit":   {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, math.MaxInt64},
		"version 2, a group":    {map[string]string{"proc/self/cgroup": "0::/system.slice/a.service\n", "sys/fs/cgroup/system.slice/a.service/memory.max": "100\n"}, 100},
		"version 2, its parent": {map[string]string{"proc/self/cgroup": "0::/a/b/c\n", "sys/fs/cgroup/a/b/c/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "200\n", "sys/fs/cgroup/a/b/memory.max": "300\n"}, 200},
		"version 1":             {map[string]string{"proc/self/cgroup": "4:memory:/docker/a\n3:cpu:/docker/a\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "400\n"}, 400},
		"version 1, a group":    {map[string]string{"proc/self/cgroup": "4:memory:/docker/a\n", "sys/fs/cgroup/memory/docker/a/memory.limit_in_bytes": "500\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 500},
		"both":                  {map[string]string{"proc/self/cgroup": "4:memory:/a\n0::/b\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "600\n", "sys/fs/cgroup/b/memory.max": "700\n"}, 600},
		"without /proc":         {map[string]string{"sys/fs/cgroup/memory.max": "800\n"}, 800},
		"something else":        {map[string]string{"proc/self/cgroup": "\x00::\n:", "sys/fs/cgroup/memory.max": "-1\n"}, math.MaxInt64},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for file, text := range tt.files {
				path := filepath.Join(root, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got := groupLimit(root); got != tt.want {
				t.Errorf("the limit is %d, want %d", got, tt.want)
			}
		})
	}
}
