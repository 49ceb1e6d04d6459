package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// cpu returns the CPU time of a process in nanoseconds, which is that of its threads.
// The runtime of Go keeps them.
func cpu(pid int) (total float64) {
	for _, task := range must(filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))) {
		stat, err := os.ReadFile(task)
		if err != nil {
			continue // the thread has just ended
		}
		total += must(strconv.ParseFloat(strings.Fields(string(stat))[0], 64))
	}
	return total
}

// memory returns how many MiB of a process are in memory.
func memory(pid int) float64 { return status(pid, "VmRSS:") }

// peakMemory returns the most that memory has been.
func peakMemory(pid int) float64 { return status(pid, "VmHWM:") }

// forgetPeak has peakMemory start from what is in memory now.
func forgetPeak(pid int) {
	check(os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0))
}

func status(pid int, name string) float64 {
	_, after, ok := strings.Cut(string(must(os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)))), name)
	if !ok {
		check(fmt.Errorf("process %d has ended", pid))
	}
	return must(strconv.ParseFloat(strings.Fields(after)[0], 64)) / 1024
}
