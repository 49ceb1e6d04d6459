//go:build linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// openTerminal opens a new terminal: what a program writes to it, and what a person sees of it.
func openTerminal(t *testing.T) (seen, terminal *os.File) {
	t.Helper()
	seen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { seen.Close() })
	var locked, number int32
	control(t, seen, syscall.TIOCSPTLCK, &locked)
	control(t, seen, syscall.TIOCGPTN, &number)
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() })
	return seen, terminal
}

// control calls an operation of a terminal that has one number.
func control(t *testing.T, file *os.File, operation uintptr, number *int32) {
	t.Helper()
	raw, err := file.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var failed syscall.Errno
	err = raw.Control(func(fd uintptr) {
		_, _, failed = syscall.Syscall(syscall.SYS_IOCTL, fd, operation,
			uintptr(unsafe.Pointer(number)))
	})
	if err != nil || failed != 0 {
		t.Fatal(err, failed)
	}
}

// On a terminal, where people look at once, lines have the time of the day alone.
func TestLogOnATerminal(t *testing.T) {
	t.Parallel()
	seen, terminal := openTerminal(t)
	cmd := program(t, nil)
	cmd.Stderr = terminal
	p := startProgram(t, cmd)
	p.list("demo")
	seen.SetReadDeadline(time.Now().Add(deadline))
	line, err := bufio.NewReader(seen).ReadString('\n')
	want := regexp.MustCompile(`^\d\d:\d\d:\d\d\.\d{3}  200  GET  `)
	if err != nil || !want.MatchString(line) {
		t.Errorf("the line is %q, %v", line, err)
	}
	p.end(syscall.SIGTERM, 0)
}
