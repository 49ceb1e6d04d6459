//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Pipes that are full stand for a terminal that is stopped: neither the banner nor the log
// gets through, and requests and signals are heard all the same.
func TestOutputThatIsStuck(t *testing.T) {
	t.Parallel()
	ready := filepath.Join(t.TempDir(), "ready.json")
	cmd := program(t, nil, "--listen", "127.0.0.1:0", "--ready-file", ready)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	fill(t, write)
	cmd.Stdout, cmd.Stderr = write, write
	p := launchProgram(t, cmd)
	write.Close()
	p.base = p.awaitReady(ready).BaseURL
	p.ids("demo")
	p.end(syscall.SIGINT)
}

// fill writes into a pipe until it takes no more.
func fill(t *testing.T, pipe *os.File) {
	t.Helper()
	raw, err := pipe.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	for _, chunk := range [][]byte{make([]byte, 4096), make([]byte, 1)} {
		var written error
		for written == nil {
			err := raw.Write(func(fd uintptr) bool {
				_, written = syscall.Write(int(fd), chunk)
				return true // without waiting for room
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if !errors.Is(written, syscall.EAGAIN) {
			t.Fatal(written)
		}
	}
}
