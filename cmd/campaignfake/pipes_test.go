//go:build unix

package main

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe, be it named or in a folder, is a mistake, at once: nobody waits for who writes to it.
func TestPipe(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"serve", "check"} {
		finish(t, nil, command, pipe).failsLike(t, 1, pipe+": is a pipe, a socket or a device; write the fixtures into a file")
	}
}
