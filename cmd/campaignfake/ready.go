package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"example.com/campaignfake/fixtures"
)

// readyContent is what the file of --ready-file contains, as JSON. base_url must stay the first
// key, since removeOld recognizes the file by readyStart.
type readyContent struct {
	BaseURL    string `json:"base_url"`
	ControlURL string `json:"control_url"`
	PID        int    `json:"pid"`
	URL        string `json:"url"`
}

// readyStart is the text with which every ready-file begins.
const readyStart = `{"base_url":`

// A readyFile is the file of --ready-file, in which programs find the URLs of the server. Without
// the flag, the name is "", and the methods do nothing.
type readyFile struct {
	name  string
	place fixtures.Place // the flag or environment variable that gave the name, for errors
}

// removeOld removes the ready-file of an earlier server that was killed, so that a program that
// waits for this server does not read the old URLs. It also removes an empty file, since people
// make the file by mktemp. For anything else at this path, it returns an error.
func (f readyFile) removeOld() error {
	info, err := os.Lstat(f.name)
	if err != nil {
		return nil // usually there is no file; the method write reports a wrong path
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

// write writes the file. The argument root is the URL of the server, and base is its base URL. The
// server must already listen, since a program may send a request as soon as it has read the file.
// write renames a temporary file, so that no program reads an incomplete file.
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

// readyText returns the content of the ready-file of this process.
func readyText(root, base string) []byte {
	content, _ := json.Marshal(readyContent{ // cannot fail: these are texts and a number
		BaseURL:    base,
		ControlURL: root + "/_fake",
		PID:        os.Getpid(),
		URL:        root,
	})
	return append(content, '\n')
}

// remove removes the file when the server ends, unless another server has replaced the file.
func (f readyFile) remove(root, base string) {
	content, _ := os.ReadFile(f.name) // if the file cannot be read, it stays
	isOwn := bytes.Equal(content, readyText(root, base))
	if isOwn {
		os.Remove(f.name)
	}
}

// error returns an error that says why the file cannot be written or removed, and what to do.
func (f readyFile) error(err error) error {
	return fmt.Errorf("%s: %w; name a file that this user can write, in a folder that exists",
		f.place, err)
}
