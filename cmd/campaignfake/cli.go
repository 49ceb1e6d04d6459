package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"reflect"
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
	parser    *kong.Kong
	variables map[string]bool   // the names of those that belong to a flag
	command   string            // the name of the command, "" if it is misspelt
	helped    bool              // whether help was printed
	places    map[string]string // which flag or variable gave each setting, by its name in fixtures
}

func newCall(ctx context.Context, p *process) *call {
	c := &call{Context: ctx, process: p, variables: make(map[string]bool), places: make(map[string]string)}
	// The exit of the parser after its help would end a test, too, so that it is only noted.
	options := []kong.Option{
		kong.Name("campaignfake"), kong.Description(strings.TrimSpace(description)), kong.Writers(p.stdout, p.stderr),
		kong.Vars{"listen": listen, "hosts": "IP addresses, localhost, and names without a dot or under .localhost, .internal, .test and .svc"},
		kong.Exit(func(int) { c.helped = true }), kong.ValueFormatter(func(v *kong.Value) string { return v.Help }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, NoAppDescFormat: true, WrapUpperBound: 80}),
		kong.Resolvers(kong.ResolverFunc(c.resolve)), kong.KindMapper(reflect.String, checked(anyText)),
	}
	for name, reader := range readers() {
		options = append(options, kong.NamedMapper(name, reader))
	}
	c.parser = kong.Must(new(cli), options...)
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
func setting(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// run sets the flags and arguments of the command, and runs it.
func (c *call) run() error {
	parsed, err := c.parse()
	switch {
	case c.helped:
		return nil
	case err != nil:
		return usageError{err}
	}
	return parsed.Run(c)
}

// parse sets the flags and arguments of the command that the line names.
func (c *call) parse() (*kong.Context, error) {
	line, err := c.find(c.args[1:])
	if err != nil {
		return nil, err
	}
	parsed, err := c.parser.Parse(line)
	if unknown := c.unknownVariable(); unknown != nil {
		return nil, unknown
	}
	if err != nil {
		// The parser begins with the name of the flag, but the value can come from its variable.
		text := err.Error()
		flag := text[:max(strings.IndexAny(text, ": "), 0)]
		return nil, errors.New(cmp.Or(c.places[setting(strings.TrimPrefix(flag, "--"))], flag) + text[len(flag):])
	}
	// Mistakes in a setting that only package fake finds name the flag, too.
	for _, step := range parsed.Path {
		if step.Flag != nil && !step.Resolved {
			c.places[setting(step.Flag.Name)] = "--" + step.Flag.Name
		}
	}
	return parsed, nil
}

// find returns a line that begins with the name of its command. One that begins with
// a flag, a file or a folder is for serve. A misspelt command is no file: the message about
// a file that is not there would not help.
func (c *call) find(line []string) ([]string, error) {
	if len(line) > 0 && (line[0] == "--help" || line[0] == "-h") {
		return line, nil
	}
	c.command = "serve"
	asServe := append([]string{"serve"}, line...)
	if len(line) == 0 || line[0] == "" || strings.HasPrefix(line[0], "-") {
		return asServe, nil
	}
	word := line[0]
	for _, command := range c.parser.Model.Children {
		if command.Name == word {
			c.command = word
			return line, nil
		}
	}
	if _, err := os.Stat(word); err == nil || strings.ContainsAny(word, `/\.`) {
		return asServe, nil
	}
	c.command = ""
	_, err := c.parser.Parse([]string{word})
	_, nearest, _ := strings.Cut(err.Error(), ", ")
	return nil, fmt.Errorf("%q is neither a command nor a file or folder; %s", word, cmp.Or(nearest, "the help lists the commands"))
}
