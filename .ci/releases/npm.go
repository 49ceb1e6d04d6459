package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
)

// npm writes the package for npm: its sources, and the binary of each platform at the
// place where the launcher looks for it. There is one text of licences, so all binaries
// must have the same.
func (r *release) npm(binaries []binary) error {
	sources := filepath.Join(r.source, "cmd", "campaignfake", "npm")
	files, err := os.ReadDir(sources)
	if err != nil {
		return err
	}
	var entries []entry
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(sources, file.Name()))
		if err != nil {
			return err
		}
		e := entry{file.Name(), 0o644, text}
		switch file.Name() {
		case "package.json":
			e.text = bytes.Replace(text, []byte("0.0.0"), []byte(strings.TrimPrefix(r.version, "v")), 1)
		case "campaignfake.mjs": // the launcher
			e.mode = 0o755
		}
		entries = append(entries, e)
	}
	documents, err := r.documents(binaries[0])
	if err != nil {
		return err
	}
	for _, b := range binaries {
		program, err := os.ReadFile(b.path)
		if err != nil {
			return err
		}
		if own, err := r.documents(b); err != nil || !reflect.DeepEqual(own, documents) {
			return fmt.Errorf("the licences of %s/%s are not those of %s/%s (%w)", b.system, b.architecture, binaries[0].system, binaries[0].architecture, err)
		}
		entries = append(entries, entry{"bin/" + b.nodePlatform() + "/" + filepath.Base(b.path), 0o755, program})
	}
	entries = append(entries, documents...)
	for i := range entries {
		entries[i].name = path.Join("package", entries[i].name) // as npm lays packages out
	}
	text, err := tarred(entries, r.at)
	if err == nil {
		text, err = gzipped(text)
	}
	return errors.Join(err, os.WriteFile(r.file(".tgz"), text, 0o644))
}

// nodePlatform returns the platform of a binary by Node's names, as win32-x64.
func (b binary) nodePlatform() string {
	return strings.NewReplacer("windows", "win32", "amd64", "x64").Replace(b.system + "-" + b.architecture)
}
