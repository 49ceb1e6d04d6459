//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe in a folder of fixtures is a mistake, which keeps neither a reload nor the end
// of the server waiting.
func TestPipeInAFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a.yaml"), []byte("users: {a: {}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := serve(t, nil, folder)
	pipe := filepath.Join(folder, "b.yaml")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	p.awaitHealth("is a pipe, a socket or a device")
	if status, _ := p.list("a"); status != 200 {
		t.Errorf("the last good user is answered %d", status)
	}
	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}
	truncating(t, filepath.Join(folder, "a.yaml"), "users: {a: {}, b: {}}\n")
	p.awaitHealth(`"users":2`)
	p.end(syscall.SIGTERM)
	if err := os.Symlink("/dev/zero", pipe); err != nil {
		t.Fatal(err)
	}
	finish(t, nil, "check", folder).failsLike(t, 1, pipe+": is a link that leads out of the folder")
}

// A pipe that is named is a mistake, at once: nobody waits for who writes to it.
func TestPipeByName(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"serve", "check"} {
		finish(t, nil, command, pipe).failsLike(t, 1, pipe+": is a pipe, a socket or a device; write the fixtures into a file")
	}
}
