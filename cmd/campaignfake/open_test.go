//go:build linux

package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A program called xdg-open stands for the browser.
func TestOpen(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	opened := filepath.Join(folder, "opened")
	if err := syscall.Mkfifo(opened, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "xdg-open"), []byte("#!/bin/sh\necho \"$1\" >"+opened+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	fifo, err := os.OpenFile(opened, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer fifo.Close()
	p := startProgram(t, program(t, []string{"PATH=" + folder}, "--listen", "127.0.0.1:0", "--open"))
	if got := firstLine(t, fifo); got != p.root+"/_fake/" {
		t.Errorf("%q was opened, want the page of %s", got, p.root)
	}
}

// firstLine reads a line that is written to the other end.
func firstLine(t *testing.T, file *os.File) string {
	t.Helper()
	if err := file.SetReadDeadline(time.Now().Add(deadline)); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(file).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(line, "\n")
}
