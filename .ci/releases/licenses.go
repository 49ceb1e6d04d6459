package main

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var licenseFile = regexp.MustCompile(`^(LICENSE|COPYING|NOTICE|PATENTS)(\.|$)`)

// licenses returns the licences of Go and of the modules in a binary. They ask to be
// handed on with it.
func (r *release) licenses(b binary) ([]byte, error) {
	info, err := buildinfo.ReadFile(b.path)
	if err != nil {
		return nil, err
	}
	root, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	var all bytes.Buffer
	err = appendLicenses(&all, "Go "+info.GoVersion, root)
	for _, module := range info.Deps {
		folder, listErr := output("go", "-C", r.source, "list", "-m", "-f", "{{.Dir}}", module.Path)
		err = errors.Join(err, listErr, appendLicenses(&all, module.Path+" "+module.Version, folder))
	}
	return all.Bytes(), err
}

// appendLicenses appends the licences in a folder, whose name a command has printed.
func appendLicenses(all *bytes.Buffer, what string, printed []byte) error {
	folder := strings.TrimSpace(string(printed))
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	found := false
	for _, file := range files {
		if !licenseFile.MatchString(file.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(all, "==== %s: %s\n\n%s\n", what, file.Name(), text)
		found = true
	}
	if !found {
		return fmt.Errorf("%s has no licence in %s", what, folder)
	}
	return nil
}
