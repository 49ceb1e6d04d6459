// The campaignfake command is a fake of a campaign listing service, for frontend developers and
// containers. Run it with --help, or read README.md beside this file.
//
// The function run makes a call, which executes one command line. The parser of the call sets the
// flags of a command from the command line and from environment variables. Then the call executes
// the method Run of the command. The files:
//
//	cli, variables, values   the commands, and the values of their flags
//	serve                    the command serve
//	load                     reads the fixtures of serve, and reloads them
//	address, tls             the flags for where the server listens
//	listen                   listens, and tells people and programs where
//	banner, ready            what the server prints at its start, and writes to --ready-file
//	log, queue, text         the log of the server, in lines that no request waits for
//	errors, plain            what a command prints when it fails, in printable characters
//	memory                   how much memory the server uses
//	health                   the command health, which asks a running server
//	files                    the commands check, generate and schema, which need no server
//	openapi                  the command openapi, which makes a server that does not listen
//	compare                  the command compare, which asks the real service
//	record                   the command record, which asks the real service or reads a file
//	servicetoken             the token of the real service, for compare and record
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
	environ        map[string]string // the environment variables, by their names
	stdin          io.Reader
	stdout, stderr io.Writer
	watchInterval  time.Duration // how often serve checks whether fixtures have changed
}

// newProcess returns a process with the standard streams. Each element of environ is an environment
// variable, written NAME=VALUE.
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

// run executes the command line of a process, and returns the exit status: 0, 1 for an error, 2 for
// a mistake in the command line, or a status that the command sets. The command ends early when ctx
// is done.
func run(ctx context.Context, p *process) int {
	if len(p.args) > 1 && p.args[1] == "--version" {
		fmt.Fprintln(p.stdout, version()) // needs no parser: making a parser takes time
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

// version returns the name of the program and its version, for example "campaignfake v1.2.3".
func version() string {
	return "campaignfake " + cmp.Or(fake.Version(), "(unversioned build)")
}
