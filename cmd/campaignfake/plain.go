package main

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// plain returns a text as one printable line of at most width characters. A text that it shortens
// ends in "…".
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

// oneLine returns a text as one printable line: spaces and line breaks become single spaces.
func oneLine(text string) string {
	line := strings.Join(strings.Fields(text), " ")
	return printable(line)
}

// printable replaces characters that are not printable, except newlines and tabs, by U+FFFD.
// Messages repeat texts from servers and files, and control characters could change the terminal.
func printable(text string) string {
	return strings.Map(printableRune, text)
}

func printableRune(r rune) rune {
	if r == '\n' || r == '\t' || strconv.IsPrint(r) {
		return r
	}
	return utf8.RuneError
}
