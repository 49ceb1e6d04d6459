package main

import (
	"embed"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// The scripts of the shells ask this program, with completion --words, what a word can be
// continued with: it knows its commands and flags, and the scripts do not grow old.
//
//go:embed completion/campaignfake.*
var completionScripts embed.FS

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

func (c *completionCommand) Run() error {
	script, err := completionScripts.ReadFile("completion/campaignfake." + c.Shell)
	if err == nil {
		_, err = os.Stdout.Write(script)
	}
	return err
}

// printCandidates prints what the last word of a command line can be, one candidate on a
// line, with a tab and a description. A line with a colon alone stands for the names of
// files.
func printCandidates(w io.Writer, model *kong.Application, words []string) {
	before, word := words[:len(words)-1], words[len(words)-1]
	command, arguments, waiting := readWords(model, before)
	print := func(text, description string) {
		if strings.HasPrefix(text, word) {
			description, _, _ = strings.Cut(description, ". ")
			fmt.Fprintf(w, "%s\t%s\n", text, description)
		}
	}
	if name, _, inOne := strings.Cut(word, "="); inOne && strings.HasPrefix(name, "--") {
		if flag := flagNamed(command, name); flag != nil {
			printValues(w, flag.PlaceHolder, func(value string) { print(name+"="+value, "") })
		}
		return
	}
	switch {
	case waiting != nil:
		printValues(w, waiting.PlaceHolder, func(value string) { print(value, "") })
	case strings.HasPrefix(word, "-"):
		for _, flag := range slices.Concat(command.Flags, model.Flags) {
			once := slices.ContainsFunc(before, func(given string) bool {
				name, _, _ := strings.Cut(given, "=")
				return name == "--"+flag.Name
			})
			if !once || flag.IsCumulative() {
				print("--"+flag.Name, flag.Help)
			}
		}
	default:
		if arguments == 0 && !slices.Contains(before, command.Name) {
			for _, child := range model.Children {
				print(child.Name, child.Help)
			}
		}
		printArguments(w, model, command, arguments, print)
	}
}

// readWords returns the command of some words, how many arguments it has, and its flag
// that waits for a value.
func readWords(model *kong.Application, words []string) (command *kong.Node, arguments int, waiting *kong.Flag) {
	command = commandNamed("serve", model)
	named := false
	for _, word := range words {
		switch {
		case waiting != nil:
			waiting = nil
		case strings.HasPrefix(word, "-"):
			if flag := flagNamed(command, word); flag != nil && !flag.IsBool() {
				waiting = flag
			}
		case !named && arguments == 0 && commandNamed(word, model) != nil:
			command, named = commandNamed(word, model), true
		default:
			arguments++
		}
	}
	return command, arguments, waiting
}

// printValues prints the values of a flag, which its placeholder lists, or that it is
// the name of a file.
func printValues(w io.Writer, placeholder string, print func(value string)) {
	for _, value := range strings.Split(placeholder, "|") {
		switch {
		case value == "FILE":
			fmt.Fprintln(w, ":")
		case value == strings.ToLower(value):
			print(value)
		}
	}
}

// printArguments prints what the next argument of a command can be.
func printArguments(w io.Writer, model *kong.Application, command *kong.Node, arguments int, print func(text, description string)) {
	if len(command.Positional) == 0 {
		return
	}
	argument := command.Positional[min(arguments, len(command.Positional)-1)]
	switch {
	case arguments >= len(command.Positional) && !argument.IsCumulative():
	case argument.Name == "fixtures":
		fmt.Fprintln(w, ":")
	case argument.Name == "command":
		for _, child := range model.Children {
			print(child.Name, child.Help)
		}
	case argument.Name == "shell":
		for _, shell := range argument.EnumSlice() {
			print(shell, "")
		}
	}
}
