// The campaignfake command is a fake of a campaign listing service, for frontend
// developers and containers. Run it with --help, or read README.md beside this file.
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
	"example.com/campaignfake/fixtures"
)

func main() {
	os.Exit(run(context.Background(), newProcess(250*time.Millisecond)))
}

// A process is what a command gets from the system.
type process struct {
	args           []string // the first is the name of the program
	environ        []string // variables as NAME=VALUE
	stdout, stderr io.Writer
	watchInterval  time.Duration // how often serve compares the content of fixtures
	neighbour      []string      // the arguments of the server in the same container, if any
}

func newProcess(watchInterval time.Duration) *process {
	return &process{os.Args, os.Environ(), os.Stdout, os.Stderr, watchInterval, neighbour()}
}

// getenv returns the value of a variable, "" if it is not set.
func (p *process) getenv(name string) (value string) {
	for _, setting := range p.environ {
		if text, found := strings.CutPrefix(setting, name+"="); found {
			value = text
		}
	}
	return value
}

// run runs the command that the arguments name, until ctx is done, and returns the
// status to exit with.
func run(ctx context.Context, p *process) int {
	if len(p.args) > 1 && (p.args[1] == "version" || p.args[1] == "--version") {
		fmt.Fprintln(p.stdout, version()) // without building the parser, which takes time
		return 0
	}
	c := newCall(ctx, p)
	err := c.run()
	if status := exitStatus(0); err == nil || errors.As(err, &status) {
		return int(status)
	}
	if !errors.As(err, new(usageError)) && errors.As(err, new(*fixtures.Mistakes)) {
		err = fmt.Errorf("the fixtures cannot be used:\n%w", err)
	}
	fmt.Fprintf(p.stderr, "campaignfake: %s\n", printable(err.Error()))
	if !errors.As(err, new(usageError)) {
		return 1
	}
	fmt.Fprintf(p.stderr, "%s --help shows what can be written.\n", strings.TrimSpace("campaignfake "+c.command))
	return 2
}

// exitStatus is the status of a process that has already printed what is wrong.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// usageError is an error in the command line or in a variable: the status is 2.
type usageError struct{ error }

func version() string {
	return "campaignfake " + cmp.Or(fake.Version(), "(unversioned build)")
}
