// Package pages reads the pages of documentation, whose examples the tests of .ci run.
package pages

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Text returns the text of a file, which is named as from the root of the repository. It
// is for tests in a folder of .ci, as are the other functions.
func Text(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// all returns the texts of all pages.
func all(t *testing.T) string {
	t.Helper()
	const folders = "., fixtures, fake, cmd/campaignfake"
	var texts string
	for folder := range strings.SplitSeq(folders, ", ") {
		texts += Text(t, folder+"/README.md")
	}
	return texts
}

// Example returns the only example of the pages that has these words after its backticks.
func Example(t *testing.T, kind string) string {
	t.Helper()
	_, begun, found := strings.Cut(all(t), "```"+kind+"\n")
	example, rest, _ := strings.Cut(begun, "```\n")
	if !found || strings.Contains(rest, "```"+kind+"\n") {
		t.Fatalf("the pages have not one example %q", kind)
	}
	return example
}

// Code returns what the group of a pattern matches in a sentence of the pages.
func Code(t *testing.T, pattern string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(all(t))
	if found == nil {
		t.Fatalf("the pages have nothing like %s", pattern)
	}
	return found[1]
}
