//go:build unix

package main

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// fifo makes a named pipe in a new folder, and returns its path.
func fifo(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A pipe, be it named or in a folder, is a mistake, at once: nobody waits for who writes to it.
func TestPipe(t *testing.T) {
	t.Parallel()
	pipe := fifo(t, "pipe.yaml")
	for _, command := range []string{"serve", "check"} {
		finish(t, nil, command, pipe).failsLike(t, 1, pipe+": is a pipe, a socket or a device; write the fixtures into a file")
	}
}

// A program of the name that opens pages on this system stands for the browser.
func TestOpen(t *testing.T) {
	t.Parallel()
	opened := fifo(t, "opened")
	folder := filepath.Dir(opened)
	for _, name := range []string{"xdg-open", "open"} {
		write(t, folder, name, "#!/bin/sh\necho \"$1\" >"+opened+"\n")
	}
	pipe, err := os.OpenFile(opened, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	p := startProgram(t, program(t, []string{"PATH=" + folder}, "--open"))
	pipe.SetReadDeadline(time.Now().Add(deadline))
	if line, err := bufio.NewReader(pipe).ReadString('\n'); err != nil || line != p.root+"/_fake/\n" {
		t.Errorf("%q was opened (%v), want the page of %s", line, err, p.root)
	}
}

// Pipes that are full stand for a terminal that is stopped: neither the banner nor the log
// gets through, and requests and signals are heard all the same.
func TestOutputThatIsStuck(t *testing.T) {
	t.Parallel()
	ready := filepath.Join(t.TempDir(), "ready.json")
	cmd := program(t, nil, "--ready-file", ready)
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
	p.end(syscall.SIGINT, 0)
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
