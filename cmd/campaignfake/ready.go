package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// readyContent is the content of a ready-file, as JSON. The file exists only while the
// server answers.
type readyContent struct {
	URL        string `json:"url"`
	BaseURL    string `json:"base_url"`
	ControlURL string `json:"control_url"`
	PID        int    `json:"pid"`
}

// readReady returns the content of the ready-file that a running server has written.
func readReady(name string) (content readyContent, err error) {
	text, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0: // mktemp makes empty files
		return content, fmt.Errorf("the ready-file %s has not been written, so its server is not running; start it, or name another with --url", name)
	case err != nil:
		return content, fmt.Errorf("the ready-file %s cannot be read: %w; name another, or the server with --url", name, plainError(err))
	case json.Unmarshal(text, &content) != nil || content.ControlURL == "":
		return content, fmt.Errorf("the ready-file %s holds something else; name another, or remove it", name)
	}
	return content, nil
}

// clearReady removes the ready-file of an earlier server that was killed, so that a
// program that waits for this server does not find it. It returns an error if the file
// holds something else, which would be overwritten by mistake.
func clearReady(name string) error {
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) { // or no file is named
		return nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("the ready-file %s exists, and is not a file; name another", name)
	}
	if err == nil && info.Size() > 0 {
		if _, err := readReady(name); err != nil {
			return err
		}
	}
	return unwritable(name, os.Remove(name))
}

// writeReady writes the ready-file. The server has to listen: then it answers whoever has
// read the file. writeReady returns a function that removes the file.
func writeReady(name, root, basePath string) (remove func(), err error) {
	content, err := json.Marshal(readyContent{root, root + basePath, root + "/_fake", os.Getpid()})
	if err != nil {
		return nil, err
	}
	content = append(content, '\n')
	if err := writeWhole(name, content); err != nil {
		return nil, unwritable(name, err)
	}
	return func() {
		// A later server may have replaced the file. Its content is compared, since the
		// new file can have the same inode.
		if now, err := os.ReadFile(name); err == nil && bytes.Equal(now, content) {
			os.Remove(name)
		}
	}, nil
}

// unwritable returns the error if a ready-file cannot be written or removed.
func unwritable(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the ready-file %s cannot be written: %w; name a file in a folder that exists and can be written to", name, plainError(err))
}

// writeWhole writes a file that every user can read. It writes a temporary file and
// renames it, so that nobody reads an incomplete file.
func writeWhole(name string, content []byte) error {
	file, err := os.CreateTemp(filepath.Dir(name), ".campaignfake-*")
	if err != nil {
		return plainError(err)
	}
	defer os.Remove(file.Name()) // which fails once it is renamed
	_, err = file.Write(content)
	err = errors.Join(err, file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	return plainError(err)
}

// plainError returns the error of the system alone, without the names of files, which
// are elsewhere in the message.
func plainError(err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number
	}
	return err
}
