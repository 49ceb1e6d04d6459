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

// Examples returns the examples of a page that have these words after their backticks.
func Examples(t *testing.T, page, kind string) (list []string) {
	t.Helper()
	for rest := Text(t, page); ; {
		_, begun, found := strings.Cut(rest, "```"+kind+"\n")
		if !found {
			break
		}
		var example string
		example, rest, _ = strings.Cut(begun, "```\n")
		list = append(list, example)
	}
	if list == nil {
		t.Fatalf("%s has no example %q", page, kind)
	}
	return list
}

// Example returns the only example of a page that has these words after its backticks.
func Example(t *testing.T, page, kind string) string {
	t.Helper()
	list := Examples(t, page, kind)
	if len(list) > 1 {
		t.Fatalf("%s has %d examples %q", page, len(list), kind)
	}
	return list[0]
}
