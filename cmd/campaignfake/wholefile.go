package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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

// plainError returns an error without the names of files, which are elsewhere in the
// message.
func plainError(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
