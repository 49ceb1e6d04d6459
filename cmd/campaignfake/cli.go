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

// cli is the grammar: all commands, in the order of the help. The fields of a command are its flags
// and arguments. An environment variable can also set a flag, unless the flag has the tag env:"-".
// A tag such as type:"port" names the reader of the flag in the map readers.
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

// listen is the default of --listen. For the container image, the linker sets another value: see
// Dockerfile.
var listen = "127.0.0.1:8642"

// helpWords has the texts for ${listen} and ${hosts} in the tags of flags.
var helpWords = kong.Vars{
	"listen": listen,
	"hosts": "IP addresses, localhost, " +
		"and names without a dot or under .localhost, .local, .internal, .test and .svc",
}

// A call executes one command line.
type call struct {
	ctx     context.Context // the command ends when ctx is done
	process *process

	parser    *kong.Kong
	variables map[string]bool // the names of the environment variables that set flags
	command   string          // the name of the command, such as "serve"
	helped    bool            // the parser has printed help
	status    int             // the exit status of the process if there is no error

	// places says which flag or environment variable gave a value. A key is the name of the flag
	// with underscores, for example base_path.
	places map[string]fixtures.Place

	// wrongVariables has an error for each environment variable with a wrong value.
	wrongVariables []error
}

// newCall returns a call for the command line of a process. The method run executes it.
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

func (c *call) newParser() *kong.Kong {
	options := []kong.Option{
		kong.Name("campaignfake"),
		kong.Description(strings.TrimSpace(description)),
		kong.Writers(c.process.stdout, c.process.stderr),
		helpWords,
		// By default the parser exits after it has printed help, which would end a test. This
		// function only notes that the parser has printed help.
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

// setting returns the name of a flag with underscores, as fixtures name the same setting: base_path
// for base-path.
func setting(flag string) string {
	return strings.ReplaceAll(flag, "-", "_")
}

// placeOf returns the environment variable that gave a flag its value, or else the flag itself.
func (c *call) placeOf(flag string) fixtures.Place {
	place, isGiven := c.places[setting(flag)]
	if isGiven {
		return place
	}
	return fixtures.Place{Flag: "--" + flag}
}

// run parses the command line, and calls the method Run of its command.
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

// parse sets the flags and arguments of the command that the command line names.
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

// checkFirstWord returns an error if the first word is neither a flag, nor a command, nor a path.
// Such a word is mostly a misspelt command, which the parser would take for a file of fixtures.
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

// notePlaces notes in call.places which flag of the command line gave each setting. So the message
// about a mistake in a setting can name the flag.
func (c *call) notePlaces(parsed *kong.Context) {
	for _, step := range parsed.Path {
		if step.Flag != nil && !step.Resolved {
			flag := step.Flag.Name
			c.places[setting(flag)] = fixtures.Place{Flag: "--" + flag}
		}
	}
}
