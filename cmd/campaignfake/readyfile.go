package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// A readyFile is the name of the file with the server's URLs. The file exists only
// while the server answers.
type readyFile string

// readyContent is the content of the file, as JSON.
type readyContent struct {
	URL        string `json:"url"`
	BaseURL    string `json:"base_url"`
	ControlURL string `json:"control_url"`
	PID        int    `json:"pid"`
}

// clear removes the file of an earlier server that was killed, so that a program that
// waits for this server does not find it. It returns an error if the file holds
// something else: it would be overwritten by mistake.
func (f readyFile) clear() error {
	name := string(f)
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist): // or no file is named
		return nil
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("the ready-file %s exists, and is not a file; name another", name)
	}
	text, err := os.ReadFile(name)
	if _, ok := decodeReady(text); err == nil && len(text) > 0 && !ok { // mktemp makes empty files
		return fmt.Errorf("the ready-file %s exists, and holds something else; name another, or remove it", name)
	}
	if err == nil {
		err = os.Remove(name)
	}
	return f.unwritable(err)
}

// decodeReady returns the content of a ready-file, and whether text is that of one.
func decodeReady(text []byte) (content readyContent, ok bool) {
	err := json.Unmarshal(text, &content)
	return content, err == nil && content.ControlURL != ""
}

// read returns the content that the running server has written.
func (f readyFile) read() (readyContent, error) {
	text, err := os.ReadFile(string(f))
	content, ok := decodeReady(text)
	switch {
	case ok:
		return content, nil
	case errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0:
		return content, fmt.Errorf("the ready-file %s has not been written, so its server is not running; start it, or name another with --url", string(f))
	case err != nil:
		return content, fmt.Errorf("the ready-file %s cannot be read: %w; name another, or the server with --url", string(f), plainError(err))
	}
	return content, fmt.Errorf("the ready-file %s holds something else; name the one that the server was started with", string(f))
}

// write writes the file. The server has to listen: then it answers whoever has read the
// file. write returns a function that removes the file.
func (f readyFile) write(root, basePath, controlRoot string) (remove func(), err error) {
	content, err := json.Marshal(readyContent{root, root + basePath, controlRoot + "/_fake", os.Getpid()})
	if err != nil {
		return nil, err
	}
	name := string(f)
	content = append(content, '\n')
	if err := writeWhole(name, content); err != nil {
		return nil, f.unwritable(err)
	}
	return func() {
		// A later server may have replaced the file. Its content is compared, since the
		// new file can have the same inode.
		if now, err := os.ReadFile(name); err == nil && bytes.Equal(now, content) {
			os.Remove(name)
		}
	}, nil
}

// unwritable returns the error if the file cannot be written or removed.
func (f readyFile) unwritable(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the ready-file %s cannot be written: %w; name a file in a folder that exists and can be written to", string(f), plainError(err))
}
