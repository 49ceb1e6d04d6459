package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// cli is the grammar: all commands, in the order of the help. The fields of each are its
// flags and arguments. A flag is also a variable, unless its tag env is "-".
type cli struct {
	Serve    serveCommand    `cmd:"" help:"Serve fixtures, or the built-in gallery. This is also the default."`
	Check    checkCommand    `cmd:"" help:"Report every mistake in fixtures."`
	Generate generateCommand `cmd:"" help:"Print generated campaigns, as a fixture to edit."`
	Requests requestsCommand `cmd:"" help:"Print the requests that a running server has received, and why they got their answers."`
	Health   healthCommand   `cmd:"" help:"Check whether a server is ready, as a container's health check."`
	Schema   schemaCommand   `cmd:"" help:"Print the JSON Schema of fixtures, by which editors complete and check them."`
	Version  versionCommand  `cmd:"" help:"Print the version, like --version."`
}

type versionCommand struct{}

func (versionCommand) Run(c *call) error {
	_, err := fmt.Fprintln(c.stdout, version())
	return err
}

const description = `Usage: campaignfake [serve] [FIXTURES ...] [flags]
       campaignfake <command> [flags]

A fake of a campaign listing service: it answers GET {base URL}/user/campaigns
according to the bearer token. Without fixtures it serves a built-in gallery: a
token for every state that an app has to show. For example:

  campaignfake                           serve the gallery
  campaignfake users.yaml --port 9000    serve users of your own
  curl -H "Authorization: Bearer demo" http://127.0.0.1:8642/api/user/campaigns

http://127.0.0.1:8642/_fake/ is a page with all tokens and requests. A flag
overrides its variable, which stands beside it, and that overrides the fixtures.`

// listen is the default of --listen. The linker sets another one for the image.
var listen = "127.0.0.1:8642"

// A call is a command line whose command is called. It is done when its context is.
type call struct {
	context.Context
	*process
	parser  *kong.Kong
	helped  bool              // whether help was printed
	helpful string            // the command whose help explains a mistake, "" for that of all
	places  map[string]string // which flag or variable gave each setting, by its name in fixtures
}

func newCall(ctx context.Context, p *process) *call {
	c := &call{Context: ctx, process: p, places: make(map[string]string)}
	options := []kong.Option{
		kong.Name("campaignfake"), kong.Description(description), kong.Vars{"listen": listen}, kong.Resolvers(c),
		kong.Writers(p.stdout, p.stderr), kong.Exit(func(int) { c.helped = true }), kong.Help(printHelp), kong.ValueFormatter(describe),
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
	words, err := c.words()
	if err == nil && len(words) > 1 {
		err = c.checkVariables()
	}
	if err != nil {
		return usageError{err}
	}
	parsed, err := c.parser.Parse(words)
	if c.helped {
		return nil
	}
	if err != nil { // begins with the flag, though its variable may have given the value
		flag, problem, _ := strings.Cut(err.Error(), ": ")
		if place := c.places[setting(flag)]; place != "" {
			err = fmt.Errorf("%s: %s", place, problem)
		}
		return usageError{err}
	}
	return parsed.Run(c)
}

// words returns the words of the command line in the order of the parser: the command,
// flags as --name=value, and arguments.
func (c *call) words() ([]string, error) {
	words := c.args[1:]
	if len(words) > 0 && (words[0] == "--help" || words[0] == "-h") {
		return words[:1], nil
	}
	command := c.parser.Model.Children[0]
	isNamed := len(words) > 0 && c.commandNamed(words[0]) != nil
	if isNamed {
		command, words = c.commandNamed(words[0]), words[1:]
	}
	c.helpful = command.Name
	flags, arguments, err := sorted(command, words)
	if !isNamed && len(arguments) > 0 {
		err = cmp.Or(c.checkFirst(arguments[0], words[0]), err)
	}
	for _, flag := range flags {
		name, _, _ := strings.Cut(flag, "=")
		c.places[setting(name)] = name
	}
	return slices.Concat([]string{command.Name}, c.adopted(command), flags, []string{"--"}, arguments), err
}

// sorted returns the words behind a command as flags, and as arguments.
func sorted(command *kong.Node, words []string) (flags, arguments []string, err error) {
	names := []string{"--help"}
	for _, flag := range command.Flags {
		names = append(names, "--"+flag.Name)
	}
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		name, _, hasValue := strings.Cut(word, "=")
		switch index := slices.Index(names, name) - 1; {
		case word == "--":
			return flags, append(arguments, words...), nil
		case !strings.HasPrefix(word, "-") || word == "-":
			arguments = append(arguments, word)
			continue
		case name == "-h" || name == "--help":
			return []string{"--help"}, nil, nil
		case index < 0:
			return flags, arguments, unknownFlag(name, names)
		case !hasValue && command.Flags[index].IsBool():
			word += "=on"
		case !hasValue && len(words) > 0 && !strings.HasPrefix(words[0], "-"):
			word += "=" + words[0]
			words = words[1:]
		case !hasValue:
			return flags, arguments, fmt.Errorf("%s has no value; write one after it, as %[1]s=…", name)
		}
		flags = append(flags, word)
	}
	return flags, arguments, nil
}

func (c *call) commandNamed(name string) *kong.Node {
	for _, command := range c.parser.Model.Children {
		if command.Name == name {
			return command
		}
	}
	return nil
}

// checkFirst returns an error if the first argument is, or looks like, a command, and is
// not the path of a file or folder.
func (c *call) checkFirst(argument, firstWord string) error {
	if _, err := os.Stat(argument); err == nil || argument == "" || strings.ContainsAny(argument, `/\.`) || firstWord == "--" {
		return nil
	}
	if c.commandNamed(argument) != nil {
		c.helpful = argument
		return fmt.Errorf("a flag stands before the command %s; write the command first", argument)
	}
	c.helpful = ""
	var names []string
	for _, command := range c.parser.Model.Children {
		names = append(names, command.Name)
	}
	return fmt.Errorf("%q is neither a command nor a file or folder; %s", argument, nearest(argument, names, "the commands are "))
}

// setting returns the name in fixtures of the setting that a flag stands for.
func setting(flag string) string {
	return strings.ReplaceAll(strings.TrimPrefix(flag, "--"), "-", "_")
}

// printHelp prints the help of the command that is named. If none is, it prints the list
// of commands, and the help of the default.
func printHelp(options kong.HelpOptions, c *kong.Context) error {
	options.NoAppSummary = c.Selected() == nil
	err := kong.DefaultHelpPrinter(options, c)
	if c.Selected() != nil || err != nil {
		return err
	}
	serve, err := kong.Trace(c.Kong, []string{"serve"})
	if err != nil {
		return err
	}
	fmt.Fprint(c.Stdout, "\nserve:\n")
	return kong.DefaultHelpPrinter(options, serve)
}

// describe returns the help of a flag, with its variable.
func describe(value *kong.Value) string {
	if name := variable(value.Flag); name != "" {
		return value.Help + " [$" + name + "]"
	}
	return value.Help
}
