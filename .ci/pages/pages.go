// Package pages reads the pages of documentation, whose examples the tests of .ci run.
package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Text returns the text of a page, which is named as from the root of the repository. It
// is for tests in a folder of .ci.
func Text(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", page))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Example returns the only example of a page that has these words after its backticks.
func Example(t *testing.T, page, kind string) string {
	t.Helper()
	_, begun, found := strings.Cut(Text(t, page), "```"+kind+"\n")
	example, rest, _ := strings.Cut(begun, "```\n")
	if !found || strings.Contains(rest, "```"+kind+"\n") {
		t.Fatalf("%s has not one example %q", page, kind)
	}
	return example
}
