package main

import (
	"fmt"
	"strings"
)

// nearestCommand says which command may have been meant with a word, or lists all.
func nearestCommand(commands []*command, word string) string {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	if meant := didYouMean(word, names); meant != "" {
		return meant
	}
	last := len(names) - 1
	return fmt.Sprintf("the commands are %s and %s", strings.Join(names[:last], ", "), names[last])
}

// didYouMean asks whether one of the names was meant that are nearly the word, or begin
// with it. It returns "" if there is none.
func didYouMean(word string, names []string) string {
	var near []string
	for _, name := range names {
		if isNear(word, name, 2) || strings.TrimLeft(word, "-") != "" && strings.HasPrefix(name, word) {
			near = append(near, fmt.Sprintf("%q", name))
		}
	}
	switch len(near) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("did you mean %s?", near[0])
	}
	return fmt.Sprintf("did you mean one of %s?", strings.Join(near, ", "))
}

// isNear reports whether b can be made of a by adding, removing or replacing that many
// characters.
func isNear(a, b string, edits int) bool {
	switch {
	case edits < 0:
		return false
	case a == "" || b == "":
		return len(a)+len(b) <= edits
	case a[0] == b[0]:
		return isNear(a[1:], b[1:], edits)
	}
	return isNear(a[1:], b, edits-1) || isNear(a, b[1:], edits-1) || isNear(a[1:], b[1:], edits-1)
}
