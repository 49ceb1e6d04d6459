package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"example.com/campaignfake/fixtures"
)

// readyContent is the content of a ready-file, as JSON. By its first key a ready-file is known.
type readyContent struct {
	BaseURL    string `json:"base_url"`
	ControlURL string `json:"control_url"`
	PID        int    `json:"pid"`
	URL        string `json:"url"`
}

// readyStart is the start of each ready-file.
const readyStart = `{"base_url":`

// A readyFile is the file that says where a server is. If it has no name, none is written.
type readyFile struct {
	name  string
	place fixtures.Place // the flag or the variable that gave the name, which errors tell
}

// removeOld removes the file of an earlier server that was killed: a program that waits for this
// server must not find it.
func (f readyFile) removeOld() error {
	if f.name == "" {
		return nil
	}
	if err := f.mayReplace(); err != nil {
		return err
	}
	err := os.Remove(f.name)
	if err != nil && !isMissing(err) {
		return readyError(f.place, err)
	}
	return nil
}

// write writes the file of a server, which has a URL and a base URL. The server must listen before:
// whoever has read the file may ask at once.
func (f readyFile) write(root, base string) error {
	if f.name == "" {
		return nil
	}
	if err := f.mayReplace(); err != nil {
		return err
	}
	if err := writeWhole(f.name, readyText(root, base)); err != nil {
		return readyError(f.place, errorOf(f.name, err))
	}
	return nil
}

// readyText returns the text of the ready-file of this process.
func readyText(root, base string) []byte {
	content, _ := json.Marshal(readyContent{ // texts and a number can always be written
		BaseURL:    base,
		ControlURL: root + "/_fake",
		PID:        os.Getpid(),
		URL:        root,
	})
	return append(content, '\n')
}

// remove removes the file at the end of its server, unless another server has replaced it.
func (f readyFile) remove(root, base string) {
	if f.name == "" {
		return
	}
	content, _ := os.ReadFile(f.name) // if it cannot be read, it is not removed
	isOwn := bytes.Equal(content, readyText(root, base))
	if isOwn {
		os.Remove(f.name)
	}
}

// writeWhole writes a file that every user can read. It writes another file and renames it, so that
// nobody reads an incomplete one. A file that cannot be written leaves nothing behind.
func writeWhole(name string, content []byte) error {
	part, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".part*")
	if err != nil {
		return err
	}
	if err := writeReadable(part, content); err != nil {
		os.Remove(part.Name())
		return err
	}
	if err := os.Rename(part.Name(), name); err != nil {
		os.Remove(part.Name())
		return err
	}
	return nil
}

// writeReadable writes the content of a new file, lets every user read it, and closes it.
func writeReadable(file *os.File, content []byte) error {
	if _, err := file.Write(content); err != nil {
		file.Close()
		return err
	}
	if err := file.Chmod(0o644); err != nil {
		file.Close()
		return err
	}
	return file.Close() // some file systems say only here that the disk is full
}

// errorOf returns an error of writeWhole with the name that the user has given, in place of the
// name of the file that was to be renamed, which is another one each time.
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
func readyError(place fixtures.Place, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("the disk of %s is full: %w; "+
			"make room, or name a file on another one", place, err)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("the disk of %s is read-only: %w; "+
			"name a file on another one", place, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: %w; "+
			"name a file in a folder that this user may write to", place, err)
	case isMissing(err):
		return fmt.Errorf("%s: %w; name a file in a folder that exists", place, err)
	}
	return fmt.Errorf("%s cannot be written: %w", place, err)
}

// isMissing returns whether there is no such file, or no folder that it could be in.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// mayReplace returns an error if something has the name that nobody wants to lose: a device, a
// link, a folder, or a file that starts in another way than a ready-file. An empty file may be
// replaced, since mktemp makes one.
func (f readyFile) mayReplace() error {
	info, err := os.Lstat(f.name)
	if err != nil {
		return nil // mostly there is no such file; otherwise writing it fails, too
	}
	isOurs := false
	if info.Mode().IsRegular() {
		content, err := os.ReadFile(f.name)
		if err != nil {
			return readyError(f.place, err)
		}
		isOurs = len(content) == 0 || strings.HasPrefix(string(content), readyStart)
	}
	if isOurs {
		return nil
	}
	return fmt.Errorf("%s: %s is there already, and is no file that the server has written; "+
		"name another", f.place, f.name)
}
