// The campaignfake command is a fake of a campaign listing service, for
// frontend developers and containers. Run it with --help, or read README.md beside
// this file.
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
	os.Exit(run(context.Background(), newProcess()))
}

// A process is what a command gets from the system.
type process struct {
	args           []string // the first is the name of the program
	environ        []string // variables as NAME=VALUE
	stdout, stderr io.Writer
	memory         int64         // how many bytes the server may use, 0 for no limit
	watchInterval  time.Duration // how often serve compares the content of fixtures
	inContainer    bool          // whether the command runs in a container, beside the server
	neighbours     [][]string    // the command lines of other processes there
}

// newProcess returns what this process has.
func newProcess() *process {
	return &process{
		args: os.Args, environ: os.Environ(), stdout: os.Stdout, stderr: os.Stderr,
		memory: limitMemory(), watchInterval: 250 * time.Millisecond, inContainer: inContainer(), neighbours: neighbours(),
	}
}

// getenv returns the value of a variable, "" if it is not set or has no name.
func (p *process) getenv(name string) (value string) {
	for _, setting := range p.environ {
		if text, found := strings.CutPrefix(setting, name+"="); found && name != "" {
			value = text
		}
	}
	return value
}

// newCommands returns all commands, in the order of the help. The first one is called if
// none is named.
func newCommands() []*command {
	return []*command{
		{"serve", "Serve fixtures, or the built-in gallery. This is also the default.", new(serveCommand)},
		{"check", "Report every mistake in fixtures.", new(checkCommand)},
		{"generate", "Print generated campaigns, as a fixture to edit.", new(generateCommand)},
		{"health", "Check whether a server is ready, as a container's health check.", new(healthCommand)},
		{"requests", "Print the requests that a running server has received, and why they got their answers.", new(requestsCommand)},
		{"reply", "Choose how a running server answers the next requests of a token.", new(replyCommand)},
		{"reset", "Put tokens of a running server back to how it started, or everything.", new(resetCommand)},
		{"schema", "Print the JSON Schema of fixtures, by which editors complete and check them.", new(schemaCommand)},
		{"completion", "Print a script with which a shell completes commands, flags and values.", new(completionCommand)},
		{"help", "Describe a command and its flags.", new(helpCommand)},
		{"version", "Print the version.", new(versionCommand)},
	}
}

// run runs the command that the arguments name, until ctx is done, and returns the
// status to exit with.
func run(ctx context.Context, p *process) int {
	commands, words := newCommands(), p.args[1:]
	if len(words) > 2 && words[0] == "completion" && words[1] == "--words" {
		printCandidates(p.stdout, commands, words[2:])
		return 0
	}
	l := readLine(commands, words)
	switch {
	case l.help:
		printHelp(p.stdout, commands, l.named)
		return 0
	case l.version:
		fmt.Fprintln(p.stdout, version())
		return 0
	}
	return p.report(p.call(ctx, l), l)
}

// call calls the command of a line.
func (p *process) call(ctx context.Context, l *line) error {
	c := newCall(ctx, p, l)
	if err := c.prepare(); err != nil {
		return usageError{err}
	}
	return l.command.run(c)
}

// report prints an error, and returns the status to exit with.
func (p *process) report(err error, l *line) int {
	if err == nil {
		return 0
	}
	if status := exitStatus(0); errors.As(err, &status) {
		return int(status)
	}
	code, help := 1, ""
	if errors.As(err, new(usageError)) {
		code, help = 2, l.helpCommand()+" shows what can be written."
	}
	if p.wantsJSON(l) {
		printJSON(p.stderr, err, help)
		return code
	}
	fmt.Fprintf(p.stderr, "campaignfake: %s\n", printable(err.Error()))
	if help != "" {
		fmt.Fprintln(p.stderr, help)
	}
	return code
}

func version() string {
	return "campaignfake " + cmp.Or(fake.Version(), "(unversioned build)")
}
