package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"example.com/campaignfake/fixtures"
)

// cli is the grammar: all commands, in the order of the help. The fields of each are its
// flags and arguments. A flag is also a variable, unless its tag env is "-". The tag type
// names a reader of values.
type cli struct {
	Serve    serveCommand    `cmd:"" help:"Serve fixtures, or the built-in gallery. This is also the default."`
	Check    checkCommand    `cmd:"" help:"Report every mistake in fixtures."`
	Compare  compareCommand  `cmd:"" help:"Ask the real service, and report where the fake does something else."`
	Record   recordCommand   `cmd:"" help:"Print the campaigns of the real service, as a fixture to edit."`
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

// A call is a command line whose command is called. It is done when its context is.
type call struct {
	context.Context
	*process

	parser    *kong.Kong
	variables map[string]bool // the variables that belong to a flag, by their names
	command   string          // the name of the command, "" if it is misspelt
	helped    bool            // the parser has printed help
	status    int             // the process exits with it if there is no error

	// places says which flag or variable gave each value, by the name that setting returns.
	places map[string]fixtures.Place
}

// newCall returns the call of a process, which run then runs.
func newCall(ctx context.Context, p *process) *call {
	c := &call{
		Context:   ctx,
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
		kong.Writers(c.stdout, c.stderr),
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

// addVariable gives a flag its variable, unless its tag says that it has none. The variable is read
// by resolve: the parser would read the environment of this process in place of the call's, and
// take an empty variable for a value.
func (c *call) addVariable(flag *kong.Flag) {
	if flag.Envs != nil { // the tag env is "-", which the parser takes for a name
		flag.Envs = nil
		flag.Tag.Envs = nil
		return
	}
	name := variableOf(flag.Name)
	flag.Envs = []string{name}
	flag.Help += " [$" + name + "]"
	c.variables[name] = true
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
	if c.helped {
		return nil
	}
	if err != nil || c.command != "serve" { // serve writes the warnings to its log
		c.printWarnings()
	}
	if err != nil {
		return usageError{err}
	}
	return parsed.Run(c)
}

// parse sets the flags and arguments of the command that the line names. A line that names none is
// for serve.
func (c *call) parse() (*kong.Context, error) {
	line := c.args[1:]
	word := commandWord(line)
	isHelpOfAll := word == "" && len(line) > 0
	switch {
	case c.hasCommand(word):
		c.command = word
	case !isHelpOfAll && isForServe(word):
		c.command = "serve"
		line = append([]string{"serve"}, line...)
	}

	parsed, err := c.parser.Parse(line)
	var failure *kong.ParseError
	if errors.As(err, &failure) {
		parsed = failure.Context // it has what was parsed before the error
	}
	isAssumed := c.command != word
	if isAssumed {
		misplaced := c.misplacedCommand(parsed)
		if misplaced != nil {
			return nil, misplaced
		}
	}
	if err != nil {
		return nil, c.parseError(word, err)
	}

	// Package fake finds mistakes in settings, too. byFlags needs to know the flags for these.
	for _, step := range parsed.Path {
		if step.Flag != nil && !step.Resolved {
			flag := step.Flag.Name
			c.places[setting(flag)] = fixtures.Place{Flag: "--" + flag}
		}
	}
	return parsed, nil
}

// parseError returns an error of the parser as people read it. The word is the one in the place of
// a command's name.
func (c *call) parseError(word string, err error) error {
	var wrong *valueError
	if errors.As(err, &wrong) {
		err = fmt.Errorf("%s: %w", c.placeOf(wrong.flag), wrong.err)
	}
	if c.command == "" { // the parser has named the nearest one
		err = fmt.Errorf("%q is neither a command nor a file or folder: %w", word, err)
	}
	return err
}

// misplacedCommand returns an error if the name of a command stands among the files and folders of
// serve, behind a flag or another file. It returns nil if there is a file or a folder of that name.
func (c *call) misplacedCommand(parsed *kong.Context) error {
	for _, word := range argumentsOf(parsed) {
		if c.hasCommand(word) && !isFixture(word) {
			c.command = word
			return fmt.Errorf("%q is a command, and has to stand first; "+
				"write campaignfake %s, and its flags and files behind it", word, word)
		}
	}
	return nil
}

// argumentsOf returns the words of a line that are neither flags, nor values of flags, nor the name
// of a command.
func argumentsOf(parsed *kong.Context) []string {
	var words []string
	for _, step := range parsed.Path {
		if step.Positional != nil {
			arguments, _ := parsed.Value(step).Interface().([]string)
			words = append(words, arguments...)
		}
	}
	return words
}

func (c *call) printWarnings() {
	for _, warning := range c.warnings() {
		fmt.Fprintf(c.stderr, "campaignfake: %s\n", printable(warning))
	}
}

// commandWord returns the word of a line that is in the place of a command's name: the first one
// that does not ask for help, or "".
func commandWord(line []string) string {
	for _, word := range line {
		if word != "--help" && word != "-h" {
			return word
		}
	}
	return ""
}

// isForServe returns whether a line that begins with a word is for serve: there is no word, or the
// word is a flag, a file or a folder. A misspelt command is none of them: a message that there is
// no such file would not help.
func isForServe(word string) bool {
	return word == "" || strings.HasPrefix(word, "-") || isFixture(word)
}

func (c *call) hasCommand(name string) bool {
	for _, command := range c.parser.Model.Children {
		if command.Name == name {
			return true
		}
	}
	return false
}

// isFixture returns whether a word is a file or a folder, or can only be meant as one.
func isFixture(word string) bool {
	_, err := os.Stat(word)
	return err == nil || strings.ContainsAny(word, `/\.`)
}
