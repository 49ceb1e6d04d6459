//go:build unix

package wire

import (
	"math"
	"syscall"
)

// descriptors returns how many file descriptors the process may have.
func descriptors() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || limit.Cur > math.MaxInt32 {
		return math.MaxInt32
	}
	return int(limit.Cur)
}
