//go:build unix

package main

import (
	"os"
	"syscall"
)

// isReplaced reports a file that is seen here alone: where it was, another has
// taken its place. So it is when one file is mounted in a container, and an editor
// replaces it.
func isReplaced(name string) bool {
	info, err := os.Stat(name)
	if err != nil {
		return false
	}
	status, ok := info.Sys().(*syscall.Stat_t)
	return ok && status.Nlink == 0
}
