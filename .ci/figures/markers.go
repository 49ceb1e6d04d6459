package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

const begin, end = "<!-- figures -->\n", "<!-- /figures -->"

// replaceTable returns the text of a Markdown file with the table between the two
// markers.
func replaceTable(file, table string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	before, rest, opened := bytes.Cut(text, []byte(begin))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !opened || !closed {
		return nil, fmt.Errorf("%s has no line %s with %s after it, between which the table would stand", file, strings.TrimSpace(begin), end)
	}
	return fmt.Appendf(nil, "%s%s\n%s\n%s%s", before, begin, table, end, after), nil
}
