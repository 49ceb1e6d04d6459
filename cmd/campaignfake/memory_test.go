package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestContainerLimit(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		file, text string
		want       int64
	}{
		"none":                {"memory.stat", "", 0},
		"version 2":           {"memory.max", "33554432\n", 32 << 20},
		"version 2, no limit": {"memory.max", "max\n", 0},
		"version 1":           {"memory/memory.limit_in_bytes", "400\n", 400},
		"version 1, no limit": {"memory/memory.limit_in_bytes", "9223372036854771712\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			path := filepath.Join(folder, tt.file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			if got := containerLimit(folder); got != tt.want {
				t.Errorf("the limit is %d, want %d", got, tt.want)
			}
		})
	}
}
