//go:build unix

package main

import (
	"os"
	"syscall"
)

// isReplaced reports whether a file has no name any more: a file is mounted in a
// container, and an editor outside has replaced it by another one.
func isReplaced(name string) bool {
	info, err := os.Stat(name)
	if err != nil {
		return false
	}
	status, ok := info.Sys().(*syscall.Stat_t)
	return ok && status.Nlink == 0
}
