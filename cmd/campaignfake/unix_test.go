//go:build unix

package main

import (
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// Closing a terminal or a session ends the server as Ctrl-C does, unless nohup has started it.
func TestHangUp(t *testing.T) {
	t.Parallel()
	// Programs inherit that nohup has a signal ignored, unless the tests themselves handle it.
	hangUps := make(chan os.Signal, 1)
	signal.Notify(hangUps, syscall.SIGHUP)
	p := startProgram(t, program(t, nil))
	signal.Stop(hangUps)
	if log := p.end(syscall.SIGHUP, 0); !strings.Contains(log, "  INFO   summary  ") {
		t.Errorf("the log has no summary:\n%s", log)
	}

	cmd := program(t, nil)
	script := []string{"-c", `trap "" HUP; exec "$0" "$@"`}
	shell := exec.Command("sh", append(script, cmd.Args...)...)
	shell.Env = cmd.Env
	shell.Dir = cmd.Dir
	p = startProgram(t, shell)
	if err := p.signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	p.ids("demo")
	p.end(syscall.SIGTERM, 0)
}

// A reader that goes away, as in campaignfake | head -1, stops nothing.
func TestReaderThatGoesAway(t *testing.T) {
	t.Parallel()
	cmd := program(t, nil)
	read, write := newPipe(t)
	cmd.Stderr = write
	p := startProgram(t, cmd)
	write.Close()
	read.Close()
	for range 3 {
		p.ids("demo")
	}
	p.end(syscall.SIGTERM, 0)
}
