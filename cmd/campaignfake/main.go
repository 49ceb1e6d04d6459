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
	"reflect"
	"strings"

	"example.com/campaignfake/fake"
	"github.com/alecthomas/kong"
)

// commandLine is what all commands have in the grammar of the command line. Each flag is
// also a variable: --base-path is CAMPAIGNFAKE_BASE_PATH. Flags for a single call, such
// as --follow, are not variables.
type commandLine struct {
	Version kong.VersionFlag `help:"Print the version." env:"-"`
}

// commands returns the grammar of all commands, in the order of the help. With onlyServe,
// the others have nothing but a name.
func commands(onlyServe bool) []kong.Option {
	command := func(name, help string, grammar any, tags ...string) kong.Option {
		if onlyServe && name != "serve" {
			help, grammar = "", new(struct{})
		}
		return kong.DynamicCommand(name, help, "", grammar, tags...)
	}
	return []kong.Option{
		command("serve", "Serve fixtures, or the built-in gallery. This is also the default.", new(serveCommand), `default:"withargs"`),
		command("check", "Report every mistake in fixtures.", new(checkCommand)),
		command("compare", "Find out how a real service answers, and how it differs from the fake.", new(compareCommand)),
		command("generate", "Print generated campaigns, as a fixture to edit.", new(generateCommand)),
		command("health", "Check whether a server is ready, as a container's health check.", new(healthCommand)),
		command("requests", "Print the requests that a running server has received, and why they got their answers.", new(requestsCommand)),
		command("reply", "Choose how a running server answers the next requests of a token.", new(replyCommand)),
		command("reset", "Put tokens of a running server back to how it started, or everything.", new(resetCommand)),
		command("schema", "Print the JSON Schema of fixtures, by which editors complete and check them.", new(schemaCommand)),
		command("completion", "Print a script with which a shell completes commands, flags and values.", new(completionCommand)),
		command("help", "Describe a command and its flags.", new(helpCommand)),
		command("version", "Print the version.", new(versionCommand)),
	}
}

const description = `A fake of a campaign listing service: GET {base URL}/user/campaigns, answered according to the bearer token.

campaignfake serve --help lists the flags. A flag overrides its variable, which is named beside it, and the variable overrides the fixtures.`

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) (code int) {
	if call := parseServe(args); call != nil {
		return report(call.Run(), args, call.Model)
	}
	exited := false
	parser := newParser(new(commandLine), append(commands(false),
		kong.Name("campaignfake"),
		kong.Description(description),
		kong.Vars{"version": version()},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.Exit(func(status int) { exited, code = true, status }),
	)...)
	if len(args) > 2 && args[0] == "completion" && args[1] == "--words" { // also if a variable is wrong
		printCandidates(os.Stdout, parser.Model, args[2:])
		return 0
	}
	args = asFlag(args, parser.Model)
	unknown := checkVariables(parser.Model)
	adoptFlags(args, parser.Model)
	call, err := parser.Parse(args)
	if exited { // after --help or --version, which also work if a variable is wrong
		return code
	}
	if unknown != nil {
		return report(usageError{unknown}, args, parser.Model)
	}
	if err == nil {
		err = checkPort(call)
	}
	if err != nil {
		// The parser reads a misspelt command as the fixtures of serve, so that the
		// error may be about a flag that serve does not have.
		if len(args) > 0 {
			err = cmp.Or(misspeltCommand(args[0], parser.Model), err)
		}
		return report(usageError{explain(err, calledCommand(args, parser.Model))}, args, parser.Model)
	}
	return report(call.Run(), args, parser.Model)
}

// parseServe returns a call of serve. It returns nil if another command is meant, or
// help, or if a flag or a variable is wrong: only the whole grammar says what. The
// grammar of serve alone is built in a third of the time.
func parseServe(args []string) *kong.Context {
	if len(args) > 0 && args[0] != "serve" && mayBeCommand(args[0]) {
		return nil
	}
	parser := newParser(new(struct{}), append(commands(true), kong.NoDefaultHelp())...)
	if checkVariables(parser.Model) != nil {
		return nil
	}
	call, err := parser.Parse(args)
	if err != nil || call.Selected().Name != "serve" || checkPort(call) != nil {
		return nil
	}
	return call
}

// newParser returns the parser of a grammar, given its commands and further options.
func newParser(grammar any, options ...kong.Option) *kong.Kong {
	parser, err := kong.New(grammar, append(options,
		kong.DefaultEnvars(variablePrefix),
		kong.Vars{"listen": listen},
		kong.KindMapper(reflect.Bool, switchMapper{}),
	)...)
	if err != nil {
		panic(err) // the grammar is a constant
	}
	return parser
}

// report prints an error, and returns the status to exit with.
func report(err error, args []string, model *kong.Application) int {
	if err == nil {
		return 0
	}
	if status := exitStatus(0); errors.As(err, &status) {
		return int(status)
	}
	code, help := 1, ""
	if errors.As(err, new(usageError)) {
		code, help = 2, "campaignfake --help shows what can be written."
		if called := calledCommand(args, model); called != nil {
			help = fmt.Sprintf("campaignfake %s --help shows what can be written.", called.Name)
		}
	}
	if wantsJSON(args, model) {
		printJSON(os.Stderr, err, help)
		return code
	}
	fmt.Fprintf(os.Stderr, "campaignfake: %s\n", printable(err.Error()))
	if help != "" {
		fmt.Fprintln(os.Stderr, help)
	}
	return code
}

// calledCommand returns the command of the arguments, nil if there is no such command.
func calledCommand(args []string, model *kong.Application) *kong.Node {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return commandNamed("serve", model)
	}
	return commandNamed(args[0], model)
}

// commandNamed returns a command, nil if there is none of that name.
func commandNamed(name string, model *kong.Application) *kong.Node {
	for _, command := range model.Children {
		if command.Name == name {
			return command
		}
	}
	return nil
}

// flagNamed returns the flag of a command that is written as name, nil if there is none.
func flagNamed(command *kong.Node, name string) *kong.Flag {
	for _, flag := range command.Flags {
		if "--"+flag.Name == name {
			return flag
		}
	}
	return nil
}

// explain adds to an error of the parser what to do: if a flag has no value, if an
// argument is missing, if a flag has the name that other programs give it, and if paths
// are written both before and after flags, which the parser does not allow. The called
// command may be nil.
func explain(err error, called *kong.Node) error {
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
	case `expected "<shell>"`:
		return errors.New("no shell was named; write bash, zsh or fish")
	case `expected "<token>"`:
		return errors.New("no token was named; name the one whose next requests get the reply")
	}
	if name, found := strings.CutPrefix(err.Error(), "unknown flag "); found && called != nil && flagNamed(called, "--port") != nil {
		name, _, _ = strings.Cut(name, ",")
		if instead := foreignFlags[name]; instead != "" {
			return fmt.Errorf("unknown flag %s; write %s", name, instead)
		}
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

// foreignFlags are flags that other programs have for the host and the port, and what to
// write here. The variables of these names are not known, that of --port included.
var foreignFlags = map[string]string{
	"-p":         "--port, as --port 9000",
	"--port":     "--port, as --port 9000",
	"--host":     listenExample,
	"--hostname": listenExample,
	"--addr":     listenExample,
	"--address":  listenExample,
	"--bind":     listenExample,
}

const listenExample = "--listen with host and port, as --listen 0.0.0.0:8642"

// misspeltCommand returns an error if a word is neither a command nor a path, but
// looks like a command.
func misspeltCommand(word string, model *kong.Application) error {
	if !mayBeCommand(word) {
		return nil
	}
	if _, err := os.Stat(word); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	instead := nearestCommand(word, model)
	if instead == "" {
		return nil
	}
	return fmt.Errorf("%q is neither a command nor a file or folder; %s", word, instead)
}

// mayBeCommand reports whether a word looks like a command, not like a flag or a path.
func mayBeCommand(word string) bool {
	return word != "" && !strings.HasPrefix(word, "-") && !strings.ContainsAny(word, `/\.`)
}

// nearestCommand says which command may have been meant with a word, or lists all. It
// returns "" if the word is a command.
func nearestCommand(word string, model *kong.Application) string {
	// serve accepts any word as a path, so that only a parser without it suggests commands.
	var names []string
	options := []kong.Option{kong.Name("campaignfake")}
	for _, command := range model.Children {
		names = append(names, command.Name)
		options = append(options, kong.DynamicCommand(command.Name, "", "", &struct{}{}))
	}
	parser, err := kong.New(&struct{}{}, options...)
	if err != nil {
		panic(err)
	}
	_, err = parser.Parse([]string{word})
	if err == nil {
		return ""
	}
	if _, suggestion, found := strings.Cut(err.Error(), "did you mean "); found {
		return "did you mean " + suggestion
	}
	last := len(names) - 1
	return fmt.Sprintf("the commands are %s and %s", strings.Join(names[:last], ", "), names[last])
}

func version() string {
	return "campaignfake " + cmp.Or(fake.Version(), "(unversioned build)")
}
