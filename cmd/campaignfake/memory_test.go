package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
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

// The limit of fixtures that health shows is the one that holds, and the message says how
// much memory would do.
func TestFixturesBeyondTheMemory(t *testing.T) {
	t.Parallel()
	var health struct {
		Limits struct {
			Fixtures int `json:"fixtures_bytes"`
		}
	}
	limited := []string{"GOMEMLIMIT=56MiB"} // a container of 64 MiB
	p := startProgram(t, program(t, limited, "--listen", "127.0.0.1:0"))
	if _, said := ask(t, "GET", p.root+"/_fake/health", nil); json.Unmarshal([]byte(said), &health) != nil || health.Limits.Fixtures>>10 != 764 {
		t.Fatalf("health says %s", said)
	}
	text := "users: {} #" + strings.Repeat("x", health.Limits.Fixtures-11)
	if got := finishProgram(t, program(t, limited, "check", file(t, "a.yaml", text))); got.status != 0 {
		t.Errorf("the status is %d: %s", got.status, got.stderr)
	}
	second := file(t, "b.yaml", "users: {}")
	finishProgram(t, program(t, limited, "check", file(t, "a.yaml", text), second)).failsLike(t, 1, second, "there is room for 764 KiB", "give the server more memory, about 65 MiB")
}
