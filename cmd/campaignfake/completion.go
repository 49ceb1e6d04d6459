package main

import (
	"embed"
	"fmt"
	"io"
	"strings"
)

// The scripts of the shells ask this program, with completion --words, how a word can
// go on: so they need not change when commands and flags do.
//
//go:embed completion/campaignfake.*
var completionScripts embed.FS

type completionCommand struct {
	Shell choice `arg:"shell" placeholder:"bash|zsh|fish" missing:"no shell was named; write bash, zsh or fish" help:"The shell: bash, zsh or fish."`
}

func (s *completionCommand) run(c *call) error {
	script, err := completionScripts.ReadFile("completion/campaignfake." + string(s.Shell))
	if err == nil {
		_, err = c.stdout.Write(script)
	}
	return err
}

// printCandidates prints what the last word of a command line can be, one candidate on a
// line, with a tab and a description. A line with a colon alone stands for the names of
// files.
func printCandidates(w io.Writer, commands []*command, words []string) {
	word := words[len(words)-1]
	l := readLine(commands, words[:len(words)-1])
	print := func(text, description string) {
		if strings.HasPrefix(text, word) {
			description, _, _ = strings.Cut(description, ". ")
			fmt.Fprintf(w, "%s\t%s\n", text, description)
		}
	}
	name, _, hasValue := strings.Cut(word, "=")
	flag := l.command.flag(name)
	switch {
	case l.waiting != nil:
		printValues(w, l.waiting, "", print)
	case hasValue && flag != nil:
		printValues(w, flag, name+"=", print)
	case strings.HasPrefix(word, "-"):
		for _, flag := range l.command.flags() {
			if l.values[flag.name] == nil || flag.isList() {
				print("--"+flag.name, flag.help)
			}
		}
		print("--help", everyFlags[0][1])
		print("--version", everyFlags[1][1])
	default:
		printArguments(w, l, print)
	}
}

// printArguments prints what the next argument can be, which is a command if none is
// named yet.
func printArguments(w io.Writer, l *line, print func(text, description string)) {
	n := len(l.arguments)
	next := taking(l.command.arguments(), n)
	if l.named == nil && n == 0 || next != nil && next.name == "command" {
		for _, c := range l.commands {
			print(c.name, c.help)
		}
	}
	if next != nil {
		printValues(w, next, "", print)
	}
}

// printValues prints the values of a parameter that its placeholder lists, or that it is
// the name of a file.
func printValues(w io.Writer, p *parameter, prefix string, print func(text, description string)) {
	for value := range strings.SplitSeq(p.placeholder, "|") {
		switch {
		case value == "FILE":
			fmt.Fprintln(w, ":")
		case value != "" && value == strings.ToLower(value):
			print(prefix+value, "")
		}
	}
}
