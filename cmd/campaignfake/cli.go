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
	Version  struct{}        `cmd:"" help:"Print the version, like --version."`
}

//go:embed help.txt
var description string

// listen is the default of --listen. The linker sets another one for the image.
var listen = "127.0.0.1:8642"

// helpWords are words that the help of several flags has in common.
var helpWords = kong.Vars{
	"listen": listen,
	"hosts": "IP addresses, localhost, " +
		"and names without a dot or under .localhost, .local, .internal, .test and .svc",
}

// A call is a command line whose command is called.
type call struct {
	ctx     context.Context // the call is to end when it is done
	process *process

	parser    *kong.Kong
	variables map[string]bool // the variables that belong to a flag, by their names
	command   string          // the name of the command
	helped    bool            // the parser has printed help
	status    int             // the process exits with it if there is no error

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
		// The parser prints help and exits, which would end a test. Here it only notes that it did.
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
	parsed, err := c.parser.Parse(c.process.args[1:])
	var failure *kong.ParseError
	if errors.As(err, &failure) {
		parsed = failure.Context // what was parsed before the mistake
	}
	c.command = "serve"
	if command := parsed.Selected(); command != nil {
		c.command = command.Name
	}
	wrong := c.checkWords(parsed)
	switch {
	case wrong != nil:
		c.command = ""
		return nil, wrong
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

// checkWords returns what is wrong with the words of a line whose first is no command: one of them
// may be a misspelt command, or a command that stands too late.
func (c *call) checkWords(parsed *kong.Context) error {
	names := c.commandNames()
	if slices.Contains(names, firstOf(c.process.args[1:])) || c.command != "serve" {
		return nil
	}
	next := firstOf(parsed.Path[len(parsed.Path)-1].Remainder()) // where the parser has stopped
	words := argumentsOf(parsed)
	for _, word := range append(words, next) {
		if slices.Contains(names, word) && !isFixture(word) {
			return fmt.Errorf("%q is a command, and has to stand first; "+
				"write campaignfake %s, and its flags and files behind it", word, word)
		}
	}
	if len(words) > 0 && !isFixture(words[0]) {
		return fmt.Errorf("%q is neither a command nor a file or folder; %s",
			words[0], didYouMean(words[0], names))
	}
	return nil
}

// firstOf returns the first of some words, and "" if there is none.
func firstOf(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// argumentsOf returns the words of a line that are neither flags, nor values of flags, nor the name
// of a command.
func argumentsOf(parsed *kong.Context) []string {
	for _, step := range parsed.Path {
		if step.Positional != nil {
			words, _ := parsed.Value(step).Interface().([]string)
			return words
		}
	}
	return nil
}

// didYouMean names the command of which a word is probably a misspelling, or else all commands.
func didYouMean(word string, commands []string) string {
	nearest := text.Nearest(word, commands)
	if nearest == "" {
		return "the commands are " + strings.Join(commands, ", ")
	}
	return fmt.Sprintf("did you mean %s?", nearest)
}

// commandNames lists the names of all commands.
func (c *call) commandNames() []string {
	var names []string
	for _, command := range c.parser.Model.Children {
		names = append(names, command.Name)
	}
	return names
}

// notePlaces notes which flags the line gives. Package fake finds mistakes in settings, too, and
// tells them at the flags.
func (c *call) notePlaces(parsed *kong.Context) {
	for _, step := range parsed.Path {
		if step.Flag != nil && !step.Resolved {
			flag := step.Flag.Name
			c.places[setting(flag)] = fixtures.Place{Flag: "--" + flag}
		}
	}
}

// isFixture returns whether a word is a file or a folder, or can only be meant as one.
func isFixture(word string) bool {
	_, err := os.Stat(word)
	return err == nil || strings.ContainsAny(word, `/\.`)
}
