package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
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
	Serve    serveCommand    `cmd:"" help:"Serve fixtures, or the built-in gallery. This is also the default."`
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
	flags   map[string]*kong.Flag // of all commands
	command string                // the name of the command, "" if none is named
	helped  bool                  // whether help was printed
	places  map[string]string     // which flag or variable gave each setting, by its name in fixtures
}

func newCall(ctx context.Context, p *process) *call {
	c := &call{Context: ctx, process: p, flags: make(map[string]*kong.Flag), places: make(map[string]string)}
	options := []kong.Option{
		kong.Name("campaignfake"), kong.Description(strings.TrimSpace(description)), kong.Writers(p.stdout, p.stderr),
		kong.Vars{"listen": listen, "hosts": "IP addresses, localhost, and names without a dot or under .localhost, .internal, .test and .svc"},
		kong.Exit(func(int) { c.helped = true }), kong.Help(c.printHelp), kong.ValueFormatter(func(v *kong.Value) string { return v.Help }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, NoAppDescFormat: true, WrapUpperBound: 80}),
	}
	for name, reader := range readers() {
		options = append(options, kong.NamedMapper(name, reader))
	}
	c.parser = kong.Must(new(cli), options...)
	for _, command := range c.parser.Model.Children {
		for _, flag := range command.Flags {
			c.flags[flag.Name] = flag
			if flag.Envs == nil {
				flag.Envs = []string{variablePrefix + strings.ToUpper(setting(flag.Name))}
				flag.Help += " [$" + flag.Envs[0] + "]"
			}
		}
	}
	return c
}

// run sets the flags and arguments of the command, and runs it.
func (c *call) run() error {
	parsed, err := c.parse(c.args[1:])
	switch {
	case c.helped:
		return nil
	case err != nil:
		return usageError{err}
	}
	return parsed.Run(c)
}

// parse sets the flags and arguments of the command that a line names.
func (c *call) parse(line []string) (*kong.Context, error) {
	flags, words, err := c.sorted(line)
	if err != nil {
		return nil, err
	}
	command, words, err := c.find(words)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(flags, "--help") {
		given, err := c.variables(command)
		if err != nil {
			return nil, err
		}
		flags = append(flags, given...)
	}
	parsed, err := c.parser.Parse(slices.Concat([]string{command.Name}, flags, []string{"--"}, words))
	if err != nil { // may begin with the flag, though its variable has given the value
		text := err.Error()
		flag := text[:max(strings.IndexAny(text, ": "), 0)]
		return nil, errors.New(cmp.Or(c.places[setting(flag)], flag) + text[len(flag):])
	}
	return parsed, nil
}

// sorted separates the flags of a line from its words, which people write on both sides of
// flags. A flag becomes one argument with its value.
func (c *call) sorted(line []string) (flags, words []string, err error) {
	for i := 0; i < len(line); i++ {
		arg := line[i]
		name, value, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		flag := c.flags[name]
		switch {
		case arg == "":
			return nil, nil, errors.New(`the name "" of a file or folder is empty; name one, or leave it out`)
		case arg == "--":
			return flags, append(words, line[i+1:]...), nil
		case !strings.HasPrefix(arg, "-") || arg == "-":
			words = append(words, arg)
			continue
		case name == "help" || name == "h":
			flags = append(flags, "--help")
			continue
		case flag == nil: // the parser asks for the nearest one
			return []string{"--" + name}, words, nil
		}
		if !hasValue && i+1 < len(line) && isValue(flag, line[i+1]) {
			i++
			value, hasValue = line[i], true
		}
		switch {
		case !hasValue && flag.IsBool():
			value = "on"
		case !hasValue:
			return nil, nil, fmt.Errorf("--%s: has no value; write one after it, as --%[1]s=…", name)
		case value == "": // as an unset variable of the shell in quotes is
			return nil, nil, fmt.Errorf(`--%s: "" is empty; give a value, or leave the flag out`, name)
		}
		flags = append(flags, "--"+name+"="+value)
		c.places[setting(name)] = "--" + name
	}
	return flags, words, nil
}

// isValue reports whether the word behind a flag is its value.
func isValue(flag *kong.Flag, word string) bool {
	return !strings.HasPrefix(word, "-") && (!flag.IsBool() || word == "on" || word == "off")
}

// find returns the command that is the first of the words, or the default, and the other
// words.
func (c *call) find(words []string) (*kong.Node, []string, error) {
	commands := c.parser.Model.Children
	if len(words) == 0 {
		return commands[0], nil, nil
	}
	word := words[0]
	for _, command := range commands {
		if command.Name == word {
			c.command = word
			return command, words[1:], nil
		}
	}
	if _, err := os.Stat(word); err == nil || strings.ContainsAny(word, `/\.`) {
		return commands[0], words, nil
	}
	_, err := c.parser.Parse([]string{word})
	_, nearest, _ := strings.Cut(err.Error(), ", ")
	return nil, nil, fmt.Errorf("%q is neither a command nor a file or folder; %s", word, cmp.Or(nearest, "the help lists the commands"))
}

// printHelp prints the help of the command that is named. If none is, it prints the list
// of commands, and the help of the default.
func (c *call) printHelp(options kong.HelpOptions, selected *kong.Context) error {
	if c.command == "" {
		options.NoAppSummary = true
		all, _ := kong.Trace(c.parser, nil) // has no error without arguments
		if err := kong.DefaultHelpPrinter(options, all); err != nil {
			return err
		}
		fmt.Fprint(c.stdout, "\nserve:\n")
	}
	return kong.DefaultHelpPrinter(options, selected)
}
