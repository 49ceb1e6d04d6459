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
func replaceTable(file, table string) []byte {
	before, rest, opened := bytes.Cut(must(os.ReadFile(file)), []byte(begin))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !opened || !closed {
		check(fmt.Errorf("%s has no line %s with %s after it, between which the table would stand", file, strings.TrimSpace(begin), end))
	}
	return fmt.Appendf(nil, "%s%s\n%s\n%s%s", before, begin, table, end, after)
}
