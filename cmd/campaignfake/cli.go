package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// cli is the grammar: all commands, in the order of the help. The fields of each are its
// flags and arguments. A flag is also a variable, unless its tag env is "-". The tag type
// names a reader of values.
type cli struct {
	Serve    serveCommand    `cmd:"" default:"withargs" help:"Serve fixtures, or the built-in gallery. This is also the default."`
	Check    checkCommand    `cmd:"" help:"Report every mistake in fixtures."`
	Compare  compareCommand  `cmd:"" help:"Ask the real service, and print in what the fake differs."`
	Record   recordCommand   `cmd:"" help:"Print the campaigns of the real service, or its settings, as a fixture to edit."`
	Generate generateCommand `cmd:"" help:"Print generated campaigns, as a fixture to edit."`
	Health   healthCommand   `cmd:"" help:"Check whether a server is ready, as a container's health check."`
	Schema   schemaCommand   `cmd:"" help:"Print the JSON Schema of fixtures, by which editors complete and check them."`
	OpenAPI  openAPICommand  `cmd:"" name:"openapi" help:"Print the service as OpenAPI, as a server with the same flags has it."`
	Version  versionCommand  `cmd:"" help:"Print the version, like --version."`
}

//go:embed help.txt
var description string

// listen is the default of --listen. The linker sets another one for the image.
var listen = "127.0.0.1:8642"

// helpWords are texts that the help of several flags shares.
var helpWords = kong.Vars{
	"listen": listen,
	"hosts": "IP addresses, localhost, " +
		"and names without a dot or under .localhost, .local, .internal, .test and .svc",
}

// A call is one run of a command line.
type call struct {
	ctx     context.Context // the call ends when it is done
	process *process

	parser    *kong.Kong
	variables map[string]bool // the variables that belong to a flag, by their names
	command   string          // the name of the command
	helped    bool            // the parser has printed help
	status    int             // the exit status of the process if there is no error

	// places says which flag or variable gave each value, by the name that setting returns.
	places map[string]fixtures.Place

	// wrongVariables says what is wrong with the values of variables.
	wrongVariables []error
}

// newCall returns the call of a process, which run then runs.
func newCall(ctx context.Context, p *process) *call {
	c := &call{
		ctx:       ctx,
		process:   p,
		variables: make(map[string]bool),
		places:    make(map[string]fixtures.Place),
	}
	c.parser = c.newParser()
	for _, command := range c.parser.Model.Children {
		for _, flag := range command.Flags {
			c.addVariable(flag)
		}
	}
	return c
}

// newParser returns a parser of the grammar.
func (c *call) newParser() *kong.Kong {
	options := []kong.Option{
		kong.Name("campaignfake"),
		kong.Description(strings.TrimSpace(description)),
		kong.Writers(c.process.stdout, c.process.stderr),
		helpWords,
		// The parser prints help and exits, which would end a test. Here it only notes that it has
		// printed help.
		kong.Exit(func(int) { c.helped = true }),
		kong.ConfigureHelp(kong.HelpOptions{
			Compact:         true,
			FlagsLast:       true,
			NoAppDescFormat: true,
			WrapUpperBound:  80,
		}),
		kong.ValueFormatter(func(v *kong.Value) string { return v.Help }),
		kong.Resolvers(kong.ResolverFunc(c.resolve)),
		kong.KindMapper(reflect.String, textReader(anyText)),
	}
	for name, read := range readers {
		options = append(options, kong.NamedMapper(name, read))
	}
	return kong.Must(new(cli), options...)
}

// setting returns the name in fixtures of the setting that a flag stands for.
func setting(flag string) string {
	return strings.ReplaceAll(flag, "-", "_")
}

// placeOf returns the place of a flag's value: the variable that gave it, or else the flag.
func (c *call) placeOf(flag string) fixtures.Place {
	place, isGiven := c.places[setting(flag)]
	if isGiven {
		return place
	}
	return fixtures.Place{Flag: "--" + flag}
}

// run sets the flags and arguments of the command that the line names, and runs it.
func (c *call) run() error {
	parsed, err := c.parse()
	if err == nil && c.helped {
		return nil
	}
	if c.command != "serve" { // serve writes the warnings to its log
		c.printWarnings()
	}
	if err != nil {
		return usageError{err}
	}
	return parsed.Run(c)
}

// parse sets the flags and arguments of the command that the line names.
func (c *call) parse() (*kong.Context, error) {
	if err := c.checkFirstWord(); err != nil {
		return nil, err
	}
	parsed, err := c.parser.Parse(c.process.args[1:])
	var failure *kong.ParseError
	if errors.As(err, &failure) {
		parsed = failure.Context // the words and flags that the parser read before the mistake
	}
	c.command = "serve"
	if command := parsed.Selected(); command != nil {
		c.command = command.Name
	}
	switch {
	case c.helped:
		return parsed, nil
	case len(c.wrongVariables) > 0:
		return nil, errors.Join(c.wrongVariables...)
	case err != nil:
		return nil, err
	}
	c.notePlaces(parsed)
	return parsed, nil
}

// checkFirstWord returns an error if the first word is neither a flag, nor a command, nor a file or
// folder: mostly it is a command that is misspelt.
func (c *call) checkFirstWord() error {
	if len(c.process.args) == 1 {
		return nil
	}
	word := c.process.args[1]
	var commands []string
	for _, command := range c.parser.Model.Children {
		commands = append(commands, command.Name)
	}
	_, err := os.Stat(word)
	isFixture := err == nil || strings.ContainsAny(word, `/\.`)
	if strings.HasPrefix(word, "-") || isFixture || slices.Contains(commands, word) {
		return nil
	}
	instead := "the commands are " + strings.Join(commands, ", ")
	if nearest := text.Nearest(word, commands); nearest != "" {
		instead = fmt.Sprintf("did you mean campaignfake %s?", nearest)
	}
	return fmt.Errorf("%q is neither a command nor a file or folder; %s", word, instead)
}

// notePlaces notes which flags the line gives. Package fake also finds mistakes in settings, and
// names the flags by these places.
func (c *call) notePlaces(parsed *kong.Context) {
	for _, step := range parsed.Path {
		if step.Flag != nil && !step.Resolved {
			flag := step.Flag.Name
			c.places[setting(flag)] = fixtures.Place{Flag: "--" + flag}
		}
	}
}
