package main

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// cli is the grammar: all commands, in the order of the help. The fields of each are its
// flags and arguments. A flag is also a variable, unless its tag env is "-". The tag type
// names a reader of values.
type cli struct {
	Serve    serveCommand    `cmd:"" help:"Serve fixtures, or the built-in gallery. This is also the default."`
	Check    checkCommand    `cmd:"" help:"Report every mistake in fixtures."`
	Compare  compareCommand  `cmd:"" help:"Ask the real service, and report where the fake does something else."`
	Generate generateCommand `cmd:"" help:"Print generated campaigns, as a fixture to edit."`
	Health   healthCommand   `cmd:"" help:"Check whether a server is ready, as a container's health check."`
	Schema   schemaCommand   `cmd:"" help:"Print the JSON Schema of fixtures, by which editors complete and check them."`
	Version  struct{}        `cmd:"" help:"Print the version, like --version."`
}

//go:embed help.txt
var description string

// listen is the default of --listen. The linker sets another one for the image.
var listen = "127.0.0.1:8642"

// A call is a command line whose command is called. It is done when its context is.
type call struct {
	context.Context
	*process

	parser    *kong.Kong
	variables map[string]bool   // the names of those that belong to a flag
	command   string            // the name of the command, "" if it is misspelt
	helped    bool              // whether help was printed
	places    map[string]string // which flag or variable gave each value, by the name of the flag as fixtures has it
	status    int               // to exit with if there is no error
}

// newCall returns a call of what the process was given, which run then runs.
func newCall(ctx context.Context, p *process) *call {
	c := &call{Context: ctx, process: p, variables: make(map[string]bool), places: make(map[string]string)}
	options := []kong.Option{
		kong.Name("campaignfake"), kong.Description(strings.TrimSpace(description)), kong.Writers(p.stdout, p.stderr),
		kong.Vars{"listen": listen, "hosts": "IP addresses, localhost, and names without a dot or under .localhost, .internal, .test and .svc"},
		// The parser prints help and exits, which would end a test. Here it only notes that it did.
		kong.Exit(func(int) { c.helped = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, NoAppDescFormat: true, WrapUpperBound: 80}),
		kong.ValueFormatter(func(v *kong.Value) string { return v.Help }),
		kong.Resolvers(kong.ResolverFunc(c.resolve)), kong.KindMapper(reflect.String, texts(anyText)),
	}
	for name, reader := range readers {
		options = append(options, kong.NamedMapper(name, reader))
	}
	c.parser = kong.Must(new(cli), options...)

	// The variables are read by resolve. The parser would read those of this process alone, and
	// take empty ones for values.
	for _, command := range c.parser.Model.Children {
		for _, flag := range command.Flags {
			if flag.Envs == nil {
				flag.Envs = []string{variablePrefix + strings.ToUpper(setting(flag.Name))}
				flag.Help += " [$" + flag.Envs[0] + "]"
			}
			c.variables[flag.Envs[0]] = true
		}
	}
	return c
}

// setting returns the name in fixtures of the setting that a flag stands for.
func setting(flag string) string {
	return strings.ReplaceAll(strings.TrimPrefix(flag, "--"), "-", "_")
}

// run sets the flags and arguments of the command that the line names, and runs it.
func (c *call) run() error {
	parsed, err := c.parser.Parse(c.line())
	switch unknown := c.unknownVariable(); {
	case c.helped:
		return nil
	case unknown != nil:
		return usageError{unknown}
	case err != nil && c.command == "": // the parser has named the nearest one
		return usageError{fmt.Errorf("%q is neither a command nor a file or folder: %w", c.args[1], err)}
	case err != nil:
		return usageError{err}
	}

	// Mistakes in a setting that only package fake finds name the flag, too.
	for _, step := range parsed.Path {
		if step.Flag != nil && !step.Resolved {
			c.places[setting(step.Flag.Name)] = "--" + step.Flag.Name
		}
	}
	return parsed.Run(c)
}

// line returns the arguments, with the name of the command before them. A line that begins
// with a flag, a file or a folder is for serve. A misspelt command is no file: the message
// about a file that is not there would not help.
func (c *call) line() []string {
	line := c.args[1:]
	word := append(slices.Clip(line), "")[0]
	isCommand := func(node *kong.Node) bool { return node.Name == word }
	_, err := os.Stat(word)
	isPath := err == nil || strings.ContainsAny(word, `/\.`)

	switch {
	case word == "--help" || word == "-h":
	case slices.ContainsFunc(c.parser.Model.Children, isCommand):
		c.command = word
	case word == "" || word[0] == '-' || isPath:
		c.command = "serve"
		return append([]string{"serve"}, line...)
	}
	return line
}

// byPlaces returns a text in which flags have the names of the variables that gave them.
func (c *call) byPlaces(text string) string {
	return regexp.MustCompile(`--[a-z-]+`).ReplaceAllStringFunc(text, func(flag string) string {
		return cmp.Or(c.places[setting(flag)], flag)
	})
}
