package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"example.com/campaignfake/fixtures"
)

// readyContent is the content of a ready-file, as JSON. A ready-file is recognized by its first
// key.
type readyContent struct {
	BaseURL    string `json:"base_url"`
	ControlURL string `json:"control_url"`
	PID        int    `json:"pid"`
	URL        string `json:"url"`
}

// readyStart is the start of each ready-file.
const readyStart = `{"base_url":`

// A readyFile is the file that says where a server is. A readyFile without a name writes nothing.
type readyFile struct {
	name  string
	place fixtures.Place // the flag or the variable that gave the name, for errors
}

// removeOld removes the file of an earlier server that was killed: a program that waits for this
// server must not find it. What no server has written is not removed; an empty file is, since
// mktemp makes one.
func (f readyFile) removeOld() error {
	info, err := os.Lstat(f.name)
	if err != nil {
		return nil // write tells why there can be no file
	}
	isOurs := false
	if info.Mode().IsRegular() {
		content, err := os.ReadFile(f.name)
		isOurs = err == nil && (len(content) == 0 || bytes.HasPrefix(content, []byte(readyStart)))
	}
	if !isOurs {
		return fmt.Errorf("%s: %s is there already, and is no file that the server has written; "+
			"name another", f.place, f.name)
	}
	if err := os.Remove(f.name); err != nil {
		return f.error(err)
	}
	return nil
}

// write writes the file of a server, which has a URL and a base URL. The server must listen before:
// whoever has read the file may ask at once. It writes a temporary file and renames it, so that
// nobody reads an incomplete file.
func (f readyFile) write(root, base string) error {
	if f.name == "" {
		return nil
	}
	part := f.name + ".part"
	err := os.WriteFile(part, readyText(root, base), 0o644)
	if err == nil {
		err = os.Rename(part, f.name)
	}
	if err != nil {
		os.Remove(part)
		return f.error(err)
	}
	return nil
}

// readyText returns the text of the ready-file of this process.
func readyText(root, base string) []byte {
	content, _ := json.Marshal(readyContent{ // cannot fail: these are texts and a number
		BaseURL:    base,
		ControlURL: root + "/_fake",
		PID:        os.Getpid(),
		URL:        root,
	})
	return append(content, '\n')
}

// remove removes the file at the end of its server, unless another server has replaced it.
func (f readyFile) remove(root, base string) {
	content, _ := os.ReadFile(f.name) // if it cannot be read, it is not removed
	isOwn := bytes.Equal(content, readyText(root, base))
	if isOwn {
		os.Remove(f.name)
	}
}

// error returns an error that says why the file cannot be written, and what to do.
func (f readyFile) error(err error) error {
	return fmt.Errorf("%s: %w; name a file that this user can write, in a folder that exists",
		f.place, err)
}
