// Peak runs a command, throws its output away, and prints its CPU time in microseconds
// and the most memory it had in KiB.
//
// This is a program of its own because Linux counts the memory of the process
// that starts a command as the command's until it runs: the starter must be small.
//
//	peak COMMAND ARGUMENT…
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "peak:", err)
		os.Exit(1)
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	fmt.Println(used.Microseconds(), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
}
