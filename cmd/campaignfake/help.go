package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// helpWidth is the width of the help in characters.
const helpWidth = 80

const description = `A fake of a campaign listing service: GET {base URL}/user/campaigns, answered
according to the bearer token.

campaignfake serve --help lists the flags. A flag overrides its variable, which
is named beside it, and the variable overrides the fixtures.`

type helpCommand struct {
	Command string `arg:"command" help:"The command to describe. Without one, all commands are listed."`
}

func (h *helpCommand) run(c *call) error {
	described := commandNamed(c.commands, h.Command)
	if described == nil && h.Command != "" {
		return usageError{fmt.Errorf("%q is not a command; %s", h.Command, nearestCommand(c.commands, h.Command))}
	}
	printHelp(c.stdout, c.commands, described)
	return nil
}

type versionCommand struct{}

func (versionCommand) run(c *call) error {
	_, err := fmt.Fprintln(c.stdout, version())
	return err
}

// everyFlags are the flags that every command has, and what they do.
var everyFlags = [][2]string{{"  -h, --help", "Show this help."}, {"      --version", "Print the version."}}

// printCommands prints a list of all commands.
func printCommands(w io.Writer, commands []*command) {
	fmt.Fprint(w, "Usage: campaignfake <command> [flags]\n\n", description, "\n\nCommands:\n")
	for _, c := range commands {
		printRow(w, 17, "  "+c.name, c.help)
	}
	fmt.Fprint(w, "\nFlags:\n")
	for _, flag := range everyFlags {
		printRow(w, 17, flag[0], flag[1])
	}
	fmt.Fprint(w, "\nRun \"campaignfake <command> --help\" for more information on a command.\n")
}

// printHelp prints the help of a command, or the list of all commands if it is nil.
func printHelp(w io.Writer, commands []*command, c *command) {
	if c == nil {
		printCommands(w, commands)
		return
	}
	usage := c.name
	for _, p := range c.parameters() {
		if !p.isFlag || p.missing != "" {
			usage += " " + p.usage()
		}
	}
	fmt.Fprintf(w, "Usage: campaignfake %s [flags]\n\n%s\n\n", usage, c.help)
	const width = 31
	for _, p := range c.arguments() {
		printRow(w, width, "  "+p.usage(), p.help)
	}
	for _, flag := range everyFlags {
		printRow(w, width, flag[0], flag[1])
	}
	for _, p := range c.flags() {
		help := p.help
		if p.variable != "" {
			help += " ($" + p.variable + ")"
		}
		printRow(w, width, "      "+p.usage(), help)
	}
}

// usage returns how a parameter is written.
func (p *parameter) usage() string {
	text := "<" + p.name + ">"
	switch {
	case p.isFlag && p.isSwitch():
		return p.written()
	case p.isFlag:
		return p.written() + "=" + p.placeholder
	case p.isList():
		text += " ..."
	}
	if p.missing == "" {
		return "[" + text + "]"
	}
	return text
}

// printRow prints two columns. The left one has a width; if its text is wider, the right
// one begins on the next line.
func printRow(w io.Writer, width int, left, right string) {
	if utf8.RuneCountInString(left) > width-2 {
		fmt.Fprintln(w, left)
		left = ""
	}
	line := fmt.Sprintf("%-*s", width, left)
	for word := range strings.FieldsSeq(right) {
		if utf8.RuneCountInString(line+word) >= helpWidth {
			fmt.Fprintln(w, strings.TrimRight(line, " "))
			line = strings.Repeat(" ", width)
		}
		line += word + " "
	}
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}
