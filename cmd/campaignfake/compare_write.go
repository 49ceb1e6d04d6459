package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing/fstest"

	"example.com/campaignfake/fixtures"
)

// A target is a file to which observed settings are written.
type target struct {
	path   string
	text   []byte
	before fixtures.Observed // that it has already
}

// readTarget reads the file that is to be written. It returns nil if there is none.
func readTarget(path string) (*target, error) {
	if path == "" {
		return nil, nil
	}
	to := &target{path: path}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return nil, fmt.Errorf("%s of --write cannot be written, since its folder cannot be read; make the folder, or name another file: %w", path, plainError(err))
		}
		return to, nil
	case err != nil:
		return nil, fmt.Errorf("%s of --write cannot be read: %w", path, plainError(err))
	case len(bytes.TrimSpace(text)) == 0:
		return to, nil
	}
	set, err := fixtures.Load(path)
	if err != nil {
		return nil, fmt.Errorf("%s of --write is no file of fixtures, and would be changed; name another file, or mend it: %w", path, err)
	}
	to.text, to.before = text, set.Observed
	if _, _, ok := to.block(); !ok {
		return nil, fmt.Errorf("%s of --write has observed: in a form that cannot be replaced; write it as a block of YAML, or name another file", path)
	}
	return to, nil
}

// block returns where observed: begins and ends in the file: twice the end if it has none.
// It returns false if it is not a block of its own lines.
func (t *target) block() (from, to int, ok bool) {
	from = -1
	at := 0
	isInside := false
	for line := range bytes.Lines(t.text) {
		start := at
		at += len(line)
		switch {
		case line[0] == '{', bytes.HasPrefix(line, []byte("---")) && start > 0:
			return 0, 0, false
		case len(bytes.TrimSpace(line)) == 0, line[0] == '#':
		case line[0] == ' ' && isInside:
			to = at
		case line[0] != ' ':
			if isInside = from < 0 && bytes.HasPrefix(line, []byte("observed:")); isInside {
				from, to = start, at
			}
		}
	}
	if from < 0 {
		return len(t.text), len(t.text), t.before.At.IsZero()
	}
	return from, to, true
}

// write writes what was observed in place of what the file has. Everything else stays.
func (t *target) write(observed fixtures.Observed) error {
	var block bytes.Buffer
	if len(t.text) == 0 {
		fmt.Fprintf(&block, `# How the real service was seen to answer. Settings under service: go before these.
# campaignfake --gallery %q serves the built-in users in this way.
`, filepath.Base(t.path))
	}
	if err := observed.WriteYAML(&block); err != nil {
		return fmt.Errorf("what was seen cannot be written as fixtures, which is a defect of this program: %w", err)
	}
	from, to, _ := t.block()
	text := bytes.Clone(t.text[:from])
	if from > 0 && text[from-1] != '\n' {
		text = append(text, '\n')
	}
	text = append(append(text, block.Bytes()...), t.text[to:]...)
	if _, err := fixtures.LoadFS(fstest.MapFS{"fixtures.yaml": {Data: text}}); err != nil {
		return fmt.Errorf("%s of --write cannot take what was seen: %w", t.path, err)
	}
	if err := writeWhole(t.path, text); err != nil {
		return fmt.Errorf("%s of --write cannot be written: %w", t.path, err)
	}
	return nil
}
