package main

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// writeWhole writes a file that every user can read. It writes a temporary file and
// renames it, so that nobody reads an incomplete file.
func writeWhole(name string, content []byte) error {
	file, err := os.CreateTemp(filepath.Dir(name), ".campaignfake-*")
	if err != nil {
		return plainError(err)
	}
	_, err = file.Write(content)
	err = errors.Join(err, file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return plainError(err)
}

// plainError returns the error of the system alone, without the names of files, which are
// elsewhere in the message.
func plainError(err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number
	}
	return err
}
