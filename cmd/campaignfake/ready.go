package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// readyContent is the content of a ready-file, as JSON. The file exists only while the
// server answers.
type readyContent struct {
	URL        string `json:"url"`
	BaseURL    string `json:"base_url"`
	ControlURL string `json:"control_url"`
	PID        int    `json:"pid"`
}

// mayReplace returns an error if a file is there that does not begin as those of earlier
// servers do: it would be lost by mistake. A file that is empty was made by mktemp.
func mayReplace(name, beginning string) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist): // or no file is named
		return nil
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s exists, and is not a file; name another", name)
	}
	content, err := os.ReadFile(name)
	if err == nil && len(content) > 0 && !bytes.HasPrefix(content, []byte(beginning)) {
		return fmt.Errorf("%s holds something else; name another, or remove it", name)
	}
	return err
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
		return nil, fmt.Errorf("the ready-file %s cannot be written: %w; name a file in a folder that exists", name, err)
	}
	return func() {
		// A later server may have replaced the file. Its content is compared, since the
		// new file can have the same inode.
		if now, err := os.ReadFile(name); err == nil && bytes.Equal(now, content) {
			os.Remove(name)
		}
	}, nil
}

// writeWhole writes a file that every user can read. It writes a temporary file and
// renames it, so that nobody reads an incomplete file.
func writeWhole(name string, content []byte) error {
	file, err := os.CreateTemp(filepath.Dir(name), ".campaignfake-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // which fails once it is renamed
	_, err = file.Write(content)
	err = errors.Join(err, file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	return err
}
