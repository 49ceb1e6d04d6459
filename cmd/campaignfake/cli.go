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
	command   string          // the name of the command, "" if it is misspelt
	helped    bool            // the parser has printed help
	status    int             // the process exits with it if there is no error

	// places says which flag or variable gave each value, by the name that setting returns.
	places map[string]fixtures.Place
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

// parse sets the flags and arguments of the command that the line names.
func (c *call) parse() (*kong.Context, error) {
	line := c.process.args[1:]
	command, isAssumed := c.commandOf(line)
	c.command = command
	if isAssumed {
		line = append([]string{command}, line...)
	}
	parsed, err := c.parseLine(line)
	if isAssumed {
		misplaced := c.misplacedCommand(parsed)
		if misplaced != "" {
			c.command = misplaced
			return nil, fmt.Errorf("%q is a command, and has to stand first; "+
				"write campaignfake %s, and its flags and files behind it", misplaced, misplaced)
		}
	}
	if err != nil {
		return nil, c.parseError(err)
	}
	c.notePlaces(parsed)
	return parsed, nil
}

// commandOf returns the command that a line is for. If the line names none, serve is assumed,
// unless the line asks for the help of all commands. A misspelt command is "".
func (c *call) commandOf(line []string) (command string, isAssumed bool) {
	word := commandWord(line)
	isHelpOfAll := word == "" && len(line) > 0
	switch {
	case c.hasCommand(word):
		return word, false
	case isHelpOfAll || !isForServe(word):
		return "", false
	}
	return "serve", true
}

// parseLine parses a line. If there is an error, it also returns what was parsed before that.
func (c *call) parseLine(line []string) (*kong.Context, error) {
	parsed, err := c.parser.Parse(line)
	var failure *kong.ParseError
	if errors.As(err, &failure) {
		return failure.Context, err
	}
	return parsed, err
}

// misplacedCommand returns the name of a command that stands among the files and folders of serve,
// behind a flag or another file. It returns "" if there is none, or if a file or a folder has that
// name.
func (c *call) misplacedCommand(parsed *kong.Context) string {
	for _, word := range argumentsOf(parsed) {
		if c.hasCommand(word) && !isFixture(word) {
			return word
		}
	}
	return ""
}

// parseError returns an error of the parser as people read it.
func (c *call) parseError(err error) error {
	var wrong *valueError
	if errors.As(err, &wrong) {
		err = fmt.Errorf("%s: %w", c.placeOf(wrong.flag), wrong.err)
	}
	if c.command == "" { // the parser has named the nearest one
		misspelt := commandWord(c.process.args[1:])
		err = fmt.Errorf("%q is neither a command nor a file or folder: %w; "+
			"the commands are %s", misspelt, err, c.commandNames())
	}
	return err
}

// commandNames lists the names of all commands.
func (c *call) commandNames() string {
	var names []string
	for _, command := range c.parser.Model.Children {
		names = append(names, command.Name)
	}
	return strings.Join(names, ", ")
}

// notePlaces notes which flags the line gives. Package fake finds mistakes in settings, too, and
// byFlags tells them at the flags.
func (c *call) notePlaces(parsed *kong.Context) {
	for _, step := range parsed.Path {
		if step.Flag != nil && !step.Resolved {
			flag := step.Flag.Name
			c.places[setting(flag)] = fixtures.Place{Flag: "--" + flag}
		}
	}
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
		fmt.Fprintf(c.process.stderr, "campaignfake: %s\n", printable(warning))
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
