// The campaignfake command is a fake of a campaign listing service, for
// frontend developers and containers. Run it with --help, or read the README.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"
)

// commandLine is what can be written after campaignfake. Each flag is also a
// variable: --base-path is CAMPAIGNFAKE_BASE_PATH.
type commandLine struct {
	Serve    serveCommand    `cmd:"" default:"withargs" help:"Serve fixtures, or the built-in gallery. This is what happens without a command, too."`
	Check    checkCommand    `cmd:"" help:"Report every mistake in fixtures."`
	Generate generateCommand `cmd:"" help:"Print generated campaigns, as a fixture to edit."`
	Health   healthCommand   `cmd:"" help:"Ask a server whether it is ready, for container health checks."`

	Version kong.VersionFlag `help:"Print the version." env:"-"`
}

const description = `A fake of a campaign listing service: GET {base URL}/user/campaigns, answered according to the bearer token.

A flag goes before the variable that is named beside it, and that before the fixtures.`

// usageError is an error in how the command was called: it exits with 2.
type usageError struct{ error }

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
		kong.Vars{"version": version()},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.Exit(func(status int) { exited, code = true, status }),
	)
	if err != nil {
		panic(err) // the grammar is a constant
	}
	if err := settleVariables(parser.Model); err != nil {
		return report(usageError{err})
	}
	call, err := parser.Parse(args)
	if exited { // after --help or --version
		return code
	}
	if err != nil {
		return report(usageError{err})
	}
	return report(call.Run(call))
}

// report prints an error, and returns the status to exit with.
func report(err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(os.Stderr, "campaignfake: %v\n", err)
	if usage := (usageError{}); errors.As(err, &usage) {
		fmt.Fprintln(os.Stderr, "campaignfake --help shows what can be written.")
		return 2
	}
	return 1
}

// nearestCommand says which command a word may have been meant for, in the
// words of the parser, or returns "".
func nearestCommand(word string) string {
	var line struct {
		Serve    struct{} `cmd:""`
		Check    struct{} `cmd:""`
		Generate struct{} `cmd:""`
		Health   struct{} `cmd:""`
	}
	parser, err := kong.New(&line, kong.Name("campaignfake"))
	if err != nil {
		panic(err)
	}
	if _, err = parser.Parse([]string{word}); err == nil {
		return ""
	}
	_, suggestion, _ := strings.Cut(err.Error(), "did you mean ")
	return strings.TrimSuffix(suggestion, "?")
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return "campaignfake " + info.Main.Version
	}
	return "campaignfake (unversioned build)"
}
