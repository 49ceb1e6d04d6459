package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// readyStart is how each ready-file starts.
const readyStart = `{"base_url":`

// writeReady writes the ready-file. The server has to listen: then it answers whoever has
// read the file, which exists only while the server answers.
func writeReady(name, root, base string) error {
	content, _ := json.Marshal(map[string]any{ // has no error
		"url": root, "base_url": base, "control_url": root + "/_fake", "pid": os.Getpid(),
	})
	return writeWhole(name, readyStart, append(content, '\n'))
}

// writeWhole writes a file that every user can read. It writes another file and renames
// it, so that nobody reads an incomplete one. All that it writes under this name has one start.
func writeWhole(name, start string, content []byte) error {
	if err := mayReplace(name, start); err != nil {
		return err
	}
	part := name + ".part"
	err := os.WriteFile(part, content, 0o644)
	if err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		return fmt.Errorf("%w; name a file in a folder that exists", err)
	}
	return nil
}

// mayReplace returns an error if a name is that of a device, a link or a folder, or of a file
// that starts in another way than what the server writes: nobody wants to lose that.
func mayReplace(name, start string) error {
	info, err := os.Lstat(name)
	if err != nil { // mostly since there is no such file
		return nil
	}
	if info.Mode().IsRegular() {
		content, err := os.ReadFile(name)
		if err != nil || len(content) == 0 || strings.HasPrefix(string(content), start) {
			return err
		}
	}
	return fmt.Errorf("%s is there already, and is no file that the server has written; name another", name)
}
