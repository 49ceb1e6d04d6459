package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

type serveCommand struct {
	digest atomic.Pointer[string] // of the fixtures, when they were last read

	Fixtures []string `arg:"" optional:"" sep:"none" help:"Files and folders of fixtures. Without any, the built-in gallery is served."`

	where     `group:"Where it listens:"`
	Open      bool   `group:"Where it listens:" type:"switch" env:"-" help:"Open the page in the browser once the server answers."`
	ReadyFile string `group:"Where it listens:" type:"file" placeholder:"FILE" help:"Write the server's URLs to a file, as JSON, once it answers; the file is removed when it stops."`

	BasePath      string          `group:"What it answers:" type:"path" placeholder:"PATH" help:"The path before /user/campaigns (default /api)."`
	UnknownTokens string          `group:"What it answers:" type:"unknown" placeholder:"generate|reject" help:"Whether a token without a user gets generated campaigns, or 401 (default generate)."`
	Gallery       bool            `group:"What it answers:" type:"switch" help:"Serve the built-in users beside the fixtures, which override them."`
	Text          string          `group:"What it answers:" type:"fixtures" name:"fixtures" placeholder:"YAML" help:"Fixtures as text, for a pipeline that can mount no file. Those of files override them."`
	Delay         *fixtures.Delay `group:"What it answers:" type:"delay" placeholder:"TIME" help:"How long every answer takes: 2s, 80ms..250ms, or until released (default 0s). Users and replies with a delay of their own keep it."`
	Seed          *uint64         `group:"What it answers:" type:"seed" placeholder:"N" help:"Seed of generated campaigns, and of random delays (default 0)."`
	CORS          []string        `group:"What it answers:" type:"cors" name:"cors" placeholder:"WHO" help:"Whose pages may read answers: any, off, or origins with commas between them (default any)."`

	Quiet  bool `group:"What it reports:" type:"switch" help:"Log only what went wrong: warnings, errors, requests that matched nothing or had no token that could be read, and then the summary."`
	Strict bool `group:"What it reports:" type:"switch" help:"Exit with status 3 if a request matched nothing or could not be read, or a reply that was given while the server ran was not played."`

	Control        string   `group:"Control plane:" type:"on|off" default:"on" placeholder:"on|off" help:"Whether the page, and the API that steers the server, are under /_fake/ (default ${default})."`
	ControlHosts   []string `group:"Control plane:" type:"host" placeholder:"HOST,..." help:"More hosts of the control plane than those that nobody can register: IP addresses, localhost, names without a dot, and names under .localhost, .internal, .test, .svc and .svc.cluster.local. On loopback, other hosts than this machine."`
	ControlOrigins []string `group:"Control plane:" type:"origin" placeholder:"ORIGIN,..." help:"Whose pages may use the control plane, beside its own: origins, as http://localhost:5173."`

	tlsFlags `group:"HTTPS:"`
}

func (c *serveCommand) Run(call *call) error {
	on, err := c.check(call)
	if err != nil {
		return err
	}
	call.tuneCollector()
	logger := call.newLogger(c.Quiet)
	server, set, err := c.newServer(call, logger)
	if err != nil {
		return explainMistakes(err)
	}
	defer server.Close()
	ctx, stop := untilSignal(call)
	defer stop()
	// The server must still answer when nobody reads its output any more, as with
	// campaignfake | head -1.
	signal.Ignore(syscall.SIGPIPE)
	go c.watch(ctx, call.watchInterval, server)
	err = c.listen(ctx, call.process, on, server, set, logger)
	server.Close() // so that the summary is the last line of the log
	if ctx.Err() != nil {
		err = nil // a signal has ended the server
	}
	tally := server.Tally()
	if c.Strict && !wasStrict(logger, tally) {
		err = cmp.Or(err, error(exitStatus(3)))
	}
	if err == nil || tally.Requests > 0 {
		summarize(logger, tally)
	}
	return err
}

// check returns where to listen, or an error if flags contradict each other.
func (c *serveCommand) check(call *call) (address, error) {
	isOff := c.Control == "off"
	switch {
	case len(c.Fixtures) > 0 && isThisProgram(c.Fixtures[0]):
		return "", usageError{fmt.Errorf("%s is this program, not fixtures; leave it out, since the image starts it by itself", c.Fixtures[0])}
	case isOff && c.Open:
		return "", usageError{errors.New("--open needs the page, which --control off turns off; leave one of them out")}
	case isOff && (c.ControlHosts != nil || c.ControlOrigins != nil):
		return "", usageError{errors.New("--control-hosts and --control-origins say who may use the control plane, which --control off turns off; leave one of them out")}
	}
	on, err := c.address(call)
	if problem := c.tlsFlags.check(); problem != nil {
		err = cmp.Or(err, error(usageError{problem}))
	}
	return on, cmp.Or(err, clearReady(c.ReadyFile))
}

// isThisProgram reports whether a file is the program that runs.
func isThisProgram(name string) bool {
	own, _ := os.Executable()
	program, _ := os.Stat(own)
	file, _ := os.Stat(name)
	return os.SameFile(program, file) // false if there is no such file
}

// newServer returns the server, and the fixtures that it starts with.
func (c *serveCommand) newServer(call *call, logger *slog.Logger) (*fake.Server, *fixtures.Set, error) {
	options, err := c.tlsFlags.options()
	if err != nil {
		return nil, nil, err
	}
	var first *fixtures.Set
	load := func() (*fixtures.Set, error) {
		set, err := c.load(call)
		first = cmp.Or(first, set)
		return set, err
	}
	options = append(options, fake.WithLogger(logger), fake.WithLoader(load),
		fake.WithControlHosts(c.ControlHosts...), fake.WithControlOrigins(c.ControlOrigins...))
	if c.Control == "off" {
		options = append(options, fake.WithoutControl())
	}
	server, err := fake.New(options...)
	return server, first, err
}

// echo is how long after a signal others count as the same one: a terminal sends Ctrl-C
// to each process of a group, and npx and the launcher of the npm package hand it on.
const echo = 500 * time.Millisecond

// untilSignal returns a context that is done when a signal ends the command. A second
// signal ends the process at once, unless it is an echo.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { time.AfterFunc(echo, stop) })
	return ctx, stop
}
