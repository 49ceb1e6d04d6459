package main

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// plain shortens a text to a width on one line.
func plain(text string, width int) string {
	if len(text) <= width && !strings.ContainsFunc(text, isNotPlain) {
		return text // most texts have nothing to replace
	}
	runes := []rune(oneLine(text))
	if len(runes) <= width {
		return string(runes)
	}
	return string(runes[:width-1]) + "…"
}

func isNotPlain(r rune) bool { return r < ' ' || r > '~' }

// oneLine returns a text as one line that is printable.
func oneLine(text string) string {
	line := strings.Join(strings.Fields(text), " ")
	return printable(line)
}

// printable replaces control characters, which could change the terminal: parts of a message can
// come from a server or a file.
func printable(text string) string {
	return strings.Map(printableRune, text)
}

func printableRune(r rune) rune {
	if r == '\n' || r == '\t' || strconv.IsPrint(r) {
		return r
	}
	return utf8.RuneError
}
