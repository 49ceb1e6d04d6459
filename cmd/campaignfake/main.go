// The campaignfake command is a fake of a campaign listing service, for
// frontend developers and containers. Run it with --help, or read README.md beside
// this file.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"example.com/campaignfake/fake"
	"github.com/alecthomas/kong"
)

// commandLine is the grammar of the command line. Each flag is also a variable:
// --base-path is CAMPAIGNFAKE_BASE_PATH. Flags for a single call, such as --follow,
// are not variables.
type commandLine struct {
	Serve    serveCommand    `cmd:"" default:"withargs" help:"Serve fixtures, or the built-in gallery. This is also the default."`
	Check    checkCommand    `cmd:"" help:"Report every mistake in fixtures."`
	Compare  compareCommand  `cmd:"" help:"Find out how a real service answers, and how it differs from the fake."`
	Generate generateCommand `cmd:"" help:"Print generated campaigns, as a fixture to edit."`
	Health   healthCommand   `cmd:"" help:"Check whether a server is ready, as a container's health check."`
	Requests requestsCommand `cmd:"" help:"Print the requests that a running server has received, and why they got their answers."`
	Reply    replyCommand    `cmd:"" help:"Choose how a running server answers the next requests of a token."`
	Reset    resetCommand    `cmd:"" help:"Put tokens of a running server back to how it started, or everything."`

	Version kong.VersionFlag `help:"Print the version." env:"-"`
}

const description = `A fake of a campaign listing service: GET {base URL}/user/campaigns, answered according to the bearer token.

campaignfake serve --help lists the flags. A flag overrides its variable, which is named beside it, and the variable overrides the fixtures.`

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) (code int) {
	var line commandLine
	exited := false
	parser, err := kong.New(&line,
		kong.Name("campaignfake"),
		kong.Description(description),
		kong.DefaultEnvars(variablePrefix),
		kong.Vars{"version": version(), "listen": listen},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.Exit(func(status int) { exited, code = true, status }),
	)
	if err != nil {
		panic(err) // the grammar is a constant
	}
	unknown := checkVariables(parser.Model)
	adoptFlags(args, parser.Model)
	call, err := parser.Parse(args)
	if exited { // after --help or --version, which also work if a variable is wrong
		return code
	}
	if unknown != nil {
		return report(usageError{unknown}, args, parser.Model)
	}
	if err != nil {
		// The parser reads a misspelt command as the fixtures of serve, so that the
		// error may be about a flag that serve does not have.
		if len(args) > 0 {
			err = cmp.Or(misspeltCommand(args[0], parser.Model), err)
		}
		return report(usageError{explain(err)}, args, parser.Model)
	}
	return report(call.Run(), args, parser.Model)
}

// report prints an error, and returns the status to exit with.
func report(err error, args []string, model *kong.Application) int {
	if err == nil {
		return 0
	}
	if status := exitStatus(0); errors.As(err, &status) {
		return int(status)
	}
	fmt.Fprintf(os.Stderr, "campaignfake: %s\n", printable(err.Error()))
	if usage := (usageError{}); errors.As(err, &usage) {
		fmt.Fprintf(os.Stderr, "campaignfake %s--help shows what can be written.\n", calledCommand(args, model))
		return 2
	}
	return 1
}

// commandNames returns the names of all commands, in the order of the help.
func commandNames(model *kong.Application) (names []string) {
	for _, command := range model.Children {
		names = append(names, command.Name)
	}
	return names
}

// calledCommand returns the command of the arguments, with a space after it, or "" if
// there is no such command.
func calledCommand(args []string, model *kong.Application) string {
	switch {
	case len(args) == 0 || strings.HasPrefix(args[0], "-"):
		return "serve "
	case slices.Contains(commandNames(model), args[0]):
		return args[0] + " "
	}
	return ""
}

// explain adds to an error of the parser what to do: if a flag has no value, if an
// argument is missing, and if paths are written both before and after flags, which
// the parser does not allow.
func explain(err error) error {
	for _, nothing := range []string{`: expected value value but got "`, `: expected string value but got "`, `: missing value, expecting "`} {
		if flag, _, found := strings.Cut(err.Error(), nothing); found {
			return fmt.Errorf("%s has no value; write one after it, as %[1]s=…", flag)
		}
	}
	switch err.Error() {
	case `expected "<fixtures> ..."`:
		return errors.New("no fixtures were named; name files and folders of them")
	case `expected "<url>"`:
		return errors.New("no URL was named; name the base URL of the real service, as https://staging.example.com/api")
	case `expected "<token>"`:
		return errors.New("no token was named; name the one whose next requests get the reply")
	}
	var parse *kong.ParseError
	if !errors.As(err, &parse) || !strings.HasPrefix(err.Error(), "unexpected argument ") {
		return err
	}
	node := parse.Context.Selected()
	if node == nil || len(node.Positional) == 0 || !node.Positional[0].IsCumulative() {
		return err
	}
	return fmt.Errorf("%w; write all %s side by side, before the flags or after them", err, node.Positional[0].Name)
}

// misspeltCommand returns an error if a word is neither a command nor a path, but
// looks like a command.
func misspeltCommand(word string, model *kong.Application) error {
	if word == "" || strings.HasPrefix(word, "-") || strings.ContainsAny(word, `/\.`) {
		return nil
	}
	if _, err := os.Stat(word); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	// serve accepts any word as a path, so that only a parser without it suggests commands.
	names := commandNames(model)
	options := []kong.Option{kong.Name("campaignfake")}
	for _, name := range names {
		options = append(options, kong.DynamicCommand(name, "", "", &struct{}{}))
	}
	parser, err := kong.New(&struct{}{}, options...)
	if err != nil {
		panic(err)
	}
	if _, err = parser.Parse([]string{word}); err == nil {
		return nil
	}
	last := len(names) - 1
	instead := fmt.Sprintf("the commands are %s and %s", strings.Join(names[:last], ", "), names[last])
	if _, suggestion, found := strings.Cut(err.Error(), "did you mean "); found {
		instead = "did you mean " + suggestion
	}
	return fmt.Errorf("%q is neither a command nor a file or folder; %s", word, instead)
}

func version() string {
	return "campaignfake " + cmp.Or(fake.Version(), "(unversioned build)")
}
