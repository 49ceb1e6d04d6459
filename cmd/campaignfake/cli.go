package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// cli is the grammar: all commands, in the order of the help. The fields of each are its
// flags and arguments. A flag is also a variable, unless its tag env is "-". The tag type
// names a reader of values.
type cli struct {
	Serve    serveCommand    `cmd:"" default:"withargs" help:"Serve fixtures, or the built-in gallery. This is also the default."`
	Check    checkCommand    `cmd:"" help:"Report every mistake in fixtures."`
	Compare  compareCommand  `cmd:"" help:"Ask the real service, and report where the fake does something else."`
	Generate generateCommand `cmd:"" help:"Print generated campaigns, as a fixture to edit."`
	Requests requestsCommand `cmd:"" help:"Print the requests that a running server has received, and the reasons for its answers."`
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
	parser  *kong.Kong
	command string            // the name of the command, whose help explains a mistake
	helped  bool              // whether help was printed
	places  map[string]string // which flag or variable gave each setting, by its name in fixtures
}

func newCall(ctx context.Context, p *process) *call {
	c := &call{Context: ctx, process: p, places: make(map[string]string)}
	options := []kong.Option{
		kong.Name("campaignfake"), kong.Description(strings.TrimSpace(description)), details(), kong.ValueFormatter(describe),
		kong.Writers(p.stdout, p.stderr), kong.Resolvers(c), kong.Exit(func(int) { c.helped = true }), kong.Help(printHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, NoAppDescFormat: true, WrapUpperBound: 80}),
	}
	for name, reader := range readers() {
		options = append(options, kong.NamedMapper(name, reader))
	}
	c.parser = kong.Must(new(cli), options...)
	return c
}

// run sets the flags and arguments of the command, and runs it.
func (c *call) run() error {
	if err := c.checkFirst(); err != nil {
		return usageError{err}
	}
	parsed, err := c.parser.Parse(c.args[1:])
	switch {
	case c.helped:
		return nil
	case err == nil:
		err = c.checkVariables()
	}
	if err != nil { // may begin with the flag, though its variable may have given the value
		flag, problem, _ := strings.Cut(err.Error(), ": ")
		if place := c.places[setting(flag)]; place != "" {
			err = fmt.Errorf("%s: %s", place, problem)
		}
		return usageError{err}
	}
	for _, path := range parsed.Path {
		if path.Flag != nil && !path.Resolved {
			c.places[setting(path.Flag.Name)] = "--" + path.Flag.Name
		}
	}
	return parsed.Run(c)
}

// checkFirst returns an error if the first word looks like a command, and is not the path
// of a file or folder. The parser would take it for the name of fixtures.
func (c *call) checkFirst() error {
	c.command = "serve"
	for _, word := range c.args[1:] {
		if name := strings.TrimLeft(word, "-"); strings.HasPrefix(word, "-"+name) && len(name) > 1 && name[0] > '9' && name[0] != 'p' {
			return fmt.Errorf("unknown flag %s; write two dashes, as -%[1]s", word)
		}
	}
	if len(c.args) < 2 || c.args[1] == "" || strings.HasPrefix(c.args[1], "-") {
		return nil
	}
	word := c.args[1]
	var names []string
	for _, command := range c.parser.Model.Children {
		names = append(names, command.Name)
	}
	_, err := os.Stat(word)
	switch {
	case slices.Contains(names, word):
		c.command = word
	case err != nil && !strings.ContainsAny(word, `/\.`):
		c.command = ""
		return fmt.Errorf("%q is neither a command nor a file or folder; %s", word, nearest(word, names, "the commands are "))
	}
	return nil
}

// setting returns the name in fixtures of the setting that a flag stands for.
func setting(flag string) string {
	return strings.ReplaceAll(strings.TrimPrefix(flag, "--"), "-", "_")
}

// printHelp prints the help of the command that is named. If none is, it prints the list
// of commands, and the help of the default.
func printHelp(options kong.HelpOptions, c *kong.Context) error {
	if c.Selected() != nil {
		return kong.DefaultHelpPrinter(options, c)
	}
	options.NoAppSummary = true
	serve, err := kong.Trace(c.Kong, []string{"serve"})
	if err == nil {
		err = kong.DefaultHelpPrinter(options, c)
	}
	if err == nil {
		fmt.Fprint(c.Stdout, "\nserve:\n")
		err = kong.DefaultHelpPrinter(options, serve)
	}
	return err
}

// describe returns the help of a flag, with its variable.
func describe(value *kong.Value) string {
	if name := variable(value.Flag); name != "" {
		return value.Help + " [$" + name + "]"
	}
	return value.Help
}
