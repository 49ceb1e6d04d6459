package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// readyContent is the content of a ready-file, as JSON. The file exists only while the
// server answers.
type readyContent struct {
	URL        string `json:"url"`
	BaseURL    string `json:"base_url"`
	ControlURL string `json:"control_url"`
	PID        int    `json:"pid"`
}

// readyStart is how each ready-file starts.
const readyStart = `{"url":`

// mayReplace returns an error if a name is that of a device, a link or a folder, or of a file
// that starts in another way than what the server writes: nobody wants to lose that.
func mayReplace(name, start string) error {
	info, err := os.Lstat(name)
	if err != nil { // mostly since there is no such file
		return nil
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s exists, and is not a file; name another", name)
	}
	content, err := os.ReadFile(name)
	if err == nil && len(content) > 0 && !strings.HasPrefix(string(content), start) {
		return fmt.Errorf("%s holds something else; name another, or remove it", name)
	}
	return err
}

// writeReady writes the ready-file. The server has to listen: then it answers whoever has
// read the file.
func writeReady(name, root, basePath string) error {
	content, _ := json.Marshal(readyContent{root, root + basePath, root + "/_fake", os.Getpid()}) // has no error
	if err := writeWhole(name, readyStart, append(content, '\n')); err != nil {
		return fmt.Errorf("the ready-file cannot be written: %w; name a file in a folder that exists", err)
	}
	return nil
}

// writeWhole writes a file that every user can read. It writes another file and renames
// it, so that nobody reads an incomplete one. All that it writes under this name has one start.
func writeWhole(name, start string, content []byte) error {
	if err := mayReplace(name, start); err != nil {
		return err
	}
	part := name + ".part"
	defer os.Remove(part) // which fails once it is renamed
	if err := os.WriteFile(part, content, 0o644); err != nil {
		return err
	}
	return os.Rename(part, name)
}
