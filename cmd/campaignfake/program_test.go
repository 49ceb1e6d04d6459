package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"testing"
)

// asProgram is the variable that makes the test binary the program.
const asProgram = "TEST_BINARY_IS_THE_PROGRAM"

// TestMain lets tests run the program as a process of its own, without building it first. Most
// tests need no process, and call run.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		p := newProcess(os.Args, os.Environ())
		p.watchInterval = shortInterval
		os.Exit(run(context.Background(), p))
	}
	os.Exit(m.Run())
}

// program prepares a run of the program in an empty folder, with no variables of campaignfake
// except the given ones.
func program(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	t.Cleanup(cancel)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Dir = t.TempDir()
	// The race detector would wait a second at the end of each process for reports.
	cmd.Env = append(environment(env), asProgram+"=1",
		"GORACE=atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	return cmd
}

// newPipe makes a pipe for the output of a program. The test closes the read end when it ends.
func newPipe(t *testing.T) (read, write *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { read.Close() })
	return read, write
}

// startProgram starts a prepared program that serves, and waits for its banner.
func startProgram(t *testing.T, cmd *exec.Cmd) *server {
	t.Helper()
	read, write := newPipe(t)
	cmd.Stdout = write
	s := launchProgram(t, cmd)
	write.Close()
	s.awaitBanner(read)
	return s
}

// launchProgram starts a prepared program, and sees to its end.
func launchProgram(t *testing.T, cmd *exec.Cmd) *server {
	t.Helper()
	stderr := new(bytes.Buffer)
	if cmd.Stderr == nil {
		cmd.Stderr = stderr
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return launch(t, stderr, func() int {
		cmd.Wait()
		return cmd.ProcessState.ExitCode() // -1 if a signal ended it
	}, cmd.Process.Signal)
}
