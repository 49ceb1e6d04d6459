//go:build unix

package main

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
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
	line, err := bufio.NewReader(pipe).ReadString('\n')
	if err != nil || line != p.root+"/_fake/\n" {
		t.Errorf("%q was opened (%v), want the page of %s", line, err, p.root)
	}
}

// Whoever closes a terminal or a session ends the server as Ctrl-C does, unless nohup has started
// it.
func TestHangUp(t *testing.T) {
	t.Parallel()
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("the tests run under nohup, and so do the programs that they start")
	}
	ready := filepath.Join(t.TempDir(), "ready.json")
	p := startProgram(t, program(t, nil, "--ready-file", ready))
	if log := p.end(syscall.SIGHUP, 0); !strings.Contains(log, "  INFO   summary  ") {
		t.Errorf("the log has no summary:\n%s", log)
	}
	if _, err := os.Stat(ready); !os.IsNotExist(err) {
		t.Errorf("the ready-file is still there (%v)", err)
	}

	cmd := program(t, nil)
	shell := inShell(cmd, `trap "" HUP; exec "$0" "$@"`)
	p = startProgram(t, shell)
	if err := p.signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	p.ids("demo")
	p.end(syscall.SIGTERM, 0)
}

// inShell prepares a run of a program by a script of the shell, which has it in "$0" "$@".
func inShell(cmd *exec.Cmd, script string) *exec.Cmd {
	shell := exec.Command("sh", append([]string{"-c", script}, cmd.Args...)...)
	shell.Env, shell.Dir = cmd.Env, cmd.Dir
	return shell
}

// A ready-file that cannot be written in whole leaves nothing, and the server does not start.
func TestReadyFileThatIsCutOff(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	ready := filepath.Join(folder, "ready.json")
	shell := inShell(program(t, nil, "--ready-file", ready), `ulimit -f 0; exec "$0" "$@"`)
	out, err := shell.CombinedOutput()
	want := "--ready-file: write " + ready + ".part: "
	if shell.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), want) {
		t.Errorf("the program ends with %v:\n%s", err, out)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("there are files left: %v, %v", left, err)
	}
}

// A reader that goes away stops nothing.
func TestReaderThatGoesAway(t *testing.T) {
	t.Parallel()
	cmd := program(t, nil)
	read, write := newPipe(t)
	cmd.Stderr = write
	p := startProgram(t, cmd)
	write.Close()
	read.Close()
	for range 100 {
		p.ids("demo")
	}
	p.end(syscall.SIGTERM, 0)
}

// Pipes that are full stand for a terminal that is stopped: neither the banner nor the log
// gets through, and requests and signals are heard all the same.
func TestOutputThatIsStuck(t *testing.T) {
	t.Parallel()
	ready := filepath.Join(t.TempDir(), "ready.json")
	cmd := program(t, nil, "--ready-file", ready)
	_, write := newPipe(t)
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
