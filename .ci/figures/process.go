package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// cpu returns the CPU time of a process in nanoseconds.
func cpu(pid int) (total int64, err error) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil {
		return 0, err
	}
	for _, task := range tasks {
		stat, err := os.ReadFile(task)
		if err != nil {
			continue // the thread has just ended
		}
		spent, err := strconv.ParseInt(strings.Fields(string(stat))[0], 10, 64)
		if err != nil {
			return 0, err
		}
		total += spent
	}
	if total == 0 {
		return 0, fmt.Errorf("/proc has no CPU time of process %d", pid)
	}
	return total, nil
}

// memory returns how many bytes of a process are in memory.
func memory(pid int) (float64, error) { return status(pid, "VmRSS:") }

// peakMemory returns the most that memory has been.
func peakMemory(pid int) (float64, error) { return status(pid, "VmHWM:") }

// forgetPeak has peakMemory start from what is in memory now.
func forgetPeak(pid int) error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0)
}

func status(pid int, name string) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, after, ok := strings.Cut(string(text), name)
	if !ok {
		return 0, fmt.Errorf("process %d has ended", pid)
	}
	kib, err := strconv.ParseFloat(strings.Fields(after)[0], 64)
	return kib * 1024, err
}

// openFiles returns how many files and connections a process has open.
func openFiles(pid int) (int, error) {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	return len(entries), err
}
