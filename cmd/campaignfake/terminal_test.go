//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// terminal returns the two ends of a terminal: what is written to one can be read from
// the other.
func terminal(t *testing.T) (read, write *os.File) {
	t.Helper()
	read, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { read.Close() })
	var number, unlock uint32
	for request, argument := range map[uintptr]*uint32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &number} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, read.Fd(), request, uintptr(unsafe.Pointer(argument))); errno != 0 {
			t.Skip(errno)
		}
	}
	write, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { write.Close() })
	return read, write
}

// logOnTerminal returns what a server writes to a terminal about two requests.
func logOnTerminal(t *testing.T, env []string, args ...string) string {
	t.Helper()
	read, write := terminal(t)
	stdout, banner := io.Pipe()
	p := launch(t, testProcess(banner, write, append([]string{"TERM=xterm", "NO_COLOR="}, env...), append([]string{"--listen", "127.0.0.1:0"}, args...)...))
	p.awaitBanner(stdout)
	p.list("demo")
	ask(t, "DELETE", p.root+"/x?a=b", nil)
	p.end(syscall.SIGTERM)
	write.Close()
	var text bytes.Buffer
	io.Copy(&text, read) // an error says that the other end is closed
	return strings.ReplaceAll(text.String(), "\r\n", "\n")
}

// On a terminal the log has colours, unless they are not wanted.
func TestLogOnATerminal(t *testing.T) {
	t.Parallel()
	const (
		plain   = `^\d\d:\d\d:\d\d\.\d{3}  200  GET      /api/user/campaigns   demo  +[\d.]+ms  8 campaigns\n` + `\d\d:\d\d:\d\d\.\d{3}  404  DELETE   /x\?a=… +-  +[\d.]+ms  no route.*\n` + `\d\d:\d\d:\d\d\.\d{3}  WARN   summary  requests=2  unmatched=1  .*without_token=\d\n$`
		colours = `^\x1b\[2m[\d:.]{12}\x1b\[0m  \x1b\[32m200\x1b\[0m  GET  .*\n` + `.*  \x1b\[33m404\x1b\[0m  DELETE  .*\n` + `.*  \x1b\[33mWARN \x1b\[0m  summary  .*\n$`
	)
	for name, tt := range map[string]struct {
		env, args []string
		want      string
	}{
		"by default": {nil, nil, colours},
		"NO_COLOR":   {[]string{"NO_COLOR=1"}, nil, plain},
		"a dumb one": {[]string{"TERM=dumb"}, nil, plain},
		"quiet":      {[]string{"TERM=dumb"}, []string{"--quiet"}, `^\d\d:\d\d:\d\d\.\d{3}  404  DELETE  `},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := logOnTerminal(t, tt.env, tt.args...); !regexp.MustCompile(tt.want).MatchString(got) {
				t.Errorf("the log is\n%q\nwant\n%s", got, tt.want)
			}
		})
	}
}

// The command requests has the same columns and colours.
func TestRequestsOnATerminal(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	p.list("demo")
	for env, want := range map[string]string{"TERM=xterm": "\x1b[32m200\x1b[0m  GET", "NO_COLOR=1": "  200  GET"} {
		read, write := terminal(t)
		if status := run(t.Context(), testProcess(write, io.Discard, []string{"TERM=xterm", "NO_COLOR=", env}, "requests", "--url", p.root)); status != 0 {
			t.Fatalf("the status is %d", status)
		}
		write.Close()
		var text bytes.Buffer
		io.Copy(&text, read)
		if !strings.Contains(text.String(), want) {
			t.Errorf("with %s it prints %q, want %q", env, text.String(), want)
		}
	}
}

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

	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd := program(t, []string{"PATH=" + t.TempDir()}, "--listen", "127.0.0.1:0", "--open", "--quiet")
	cmd.Stderr = write
	p = startProgram(t, cmd)
	write.Close()
	if got := firstLine(t, read); !strings.Contains(got, "  WARN   the page could not be opened") || !strings.Contains(got, "page="+p.root+"/_fake/") {
		t.Errorf("without a browser the log says %s", got)
	}
	p.ids("demo") // it serves all the same
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
