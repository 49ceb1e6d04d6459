package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// readyContent is what a ready-file has, as JSON. Its first key tells it from other files.
type readyContent struct {
	BaseURL    string `json:"base_url"`
	ControlURL string `json:"control_url"`
	PID        int    `json:"pid"`
	URL        string `json:"url"`
}

// readyStart is how each ready-file starts.
const readyStart = `{"base_url":`

// removeReady removes the ready-file of an earlier server that was killed: a program that waits for
// this one must not find it.
func removeReady(name string) error {
	if name == "" {
		return nil
	}
	if err := mayReplace(name); err != nil {
		return err
	}
	err := os.Remove(name)
	if err != nil && !isMissing(err) {
		return readyError(err)
	}
	return nil
}

// writeReady writes the ready-file. The server has to listen: then it answers whoever has
// read the file, which exists only while the server answers.
func writeReady(name, root, base string) error {
	content, err := json.Marshal(readyContent{
		BaseURL:    base,
		ControlURL: root + "/_fake",
		PID:        os.Getpid(),
		URL:        root,
	})
	if err != nil {
		return err
	}
	if err := mayReplace(name); err != nil {
		return err
	}
	if err := writeWhole(name, append(content, '\n')); err != nil {
		return readyError(errorOf(name, err))
	}
	return nil
}

// writeWhole writes a file that every user can read. It writes another file and renames it, so that
// nobody reads an incomplete one. Of a file that cannot be written nothing is left.
func writeWhole(name string, content []byte) error {
	part, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".part*")
	if err != nil {
		return err
	}
	_, err = part.Write(content)
	if err == nil {
		err = part.Chmod(0o644)
	}
	closing := part.Close() // some file systems say only then that a disk is full
	if err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(part.Name(), name)
	}
	if err != nil {
		os.Remove(part.Name())
	}
	return err
}

// errorOf returns an error of writeWhole as one of the file with the name that was given. The name
// of the file that is renamed is another one each time.
func errorOf(name string, err error) error {
	var onPath *fs.PathError
	var onRename *os.LinkError
	switch {
	case errors.As(err, &onPath):
		return &fs.PathError{Op: onPath.Op, Path: name, Err: onPath.Err}
	case errors.As(err, &onRename):
		return &fs.PathError{Op: onRename.Op, Path: name, Err: onRename.Err}
	}
	return err
}

// readyError returns an error that says why a ready-file cannot be written, and what to do.
func readyError(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("the disk of --ready-file is full: %w; "+
			"make room, or name a file on another one", err)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("the disk of --ready-file is read-only: %w; "+
			"name a file on another one", err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("--ready-file: %w; "+
			"name a file in a folder that this user may write to", err)
	case isMissing(err):
		return fmt.Errorf("--ready-file: %w; name a file in a folder that exists", err)
	}
	return fmt.Errorf("--ready-file cannot be written: %w", err)
}

// isMissing returns whether there is no such file, or no folder that it could be in.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// mayReplace returns an error if a name is that of a device, a link or a folder, or of a file that
// starts in another way than a ready-file: nobody wants to lose that. An empty file is one that
// mktemp has made.
func mayReplace(name string) error {
	info, err := os.Lstat(name)
	if err != nil {
		return nil // mostly there is no such file; else writing it fails, too
	}
	if info.Mode().IsRegular() {
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if len(content) == 0 || strings.HasPrefix(string(content), readyStart) {
			return nil
		}
	}
	return fmt.Errorf("%s is there already, and is no file that the server has written; "+
		"name another", name)
}
