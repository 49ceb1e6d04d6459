package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// writeWhole writes a file that everybody may read, in one piece: a rename within
// the folder is what makes it appear whole.
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

// plainError takes the names of files out of an error, since they are said anyway.
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
