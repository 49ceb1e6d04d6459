// The campaignfake command is a fake of a campaign listing service, for frontend
// developers and containers. Run it with --help, or read README.md beside this file.
//
// A process becomes a call, whose parser sets the flags of a command from the line and the
// variables (cli, variables, values), and calls the Run of that command:
//
//	serve                    the server; load has its fixtures, address and tls where it listens
//	listen, banner, ready    what a start shows: to people, browsers and programs
//	log, queue, text         what the server writes, in lines that no request waits for
//	errors                   what a command prints when it fails
//	memory                   what the server takes of the system
//	health                   health, which asks a server that runs
//	files                    check, generate and schema, which need no server
//	openapi                  openapi, which makes a server that does not listen
//	compare                  compare, which asks the real service
//	record                   record, which asks it for its campaigns or settings, or reads an answer
//	servicetoken             the token for both
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"example.com/campaignfake/fake"
)

func main() {
	p := newProcess(os.Args, os.Environ())
	os.Exit(run(context.Background(), p))
}

// A process holds what a command gets from the operating system.
type process struct {
	args           []string          // the first is the name of the program
	environ        map[string]string // the values of variables
	stdin          io.Reader
	stdout, stderr io.Writer
	watchInterval  time.Duration // how often serve checks whether fixtures have changed
}

// newProcess returns this process with the given arguments and variables. A variable is written
// NAME=VALUE, as the system writes it.
func newProcess(args, environ []string) *process {
	variables := make(map[string]string)
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		// Windows also lists the current folder of each drive, as =C:=C:\folder, without a name.
		if name != "" {
			variables[name] = value
		}
	}
	return &process{
		args:          args,
		environ:       variables,
		stdin:         os.Stdin,
		stdout:        os.Stdout,
		stderr:        os.Stderr,
		watchInterval: 250 * time.Millisecond,
	}
}

// run runs the command that the arguments name, until ctx is done, and returns the
// status to exit with.
func run(ctx context.Context, p *process) int {
	if len(p.args) > 1 && p.args[1] == "--version" {
		fmt.Fprintln(p.stdout, version()) // before the parser is made, which takes time
		return 0
	}

	c := newCall(ctx, p)
	err := c.run()
	if err == nil {
		return c.status
	}
	c.printError(err)
	if errors.As(err, new(usageError)) {
		return 2
	}
	return 1
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(call *call) error {
	fmt.Fprintln(call.process.stdout, version())
	return nil
}

// version returns the name of the program and its version, as the banner and version show it.
func version() string {
	return "campaignfake " + cmp.Or(fake.Version(), "(unversioned build)")
}
