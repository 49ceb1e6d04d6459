package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
	"github.com/alecthomas/kong"
)

type serveCommand struct {
	digest atomic.Pointer[string] // of the fixtures, when they were last read

	Fixtures []string `arg:"" optional:"" help:"Files and folders of fixtures. Without any, the built-in gallery is served."`

	Listen         address     `default:"${listen}" placeholder:"HOST:PORT" help:"Where to listen; port 0 takes any free port (default ${default})."`
	Port           port        `env:"-" placeholder:"N" help:"The port to listen on, 0 for any free one; the host stays that of --listen."`
	BasePath       basePath    `placeholder:"PATH" help:"The path before /user/campaigns (default /api)."`
	Seed           seed        `placeholder:"N" help:"Seed of generated campaigns, and of random delays and faults (default 0)."`
	CORS           origins     `name:"cors" placeholder:"WHO" help:"Whose pages may read answers: any, off, or origins with commas between them (default any)."`
	UnknownTokens  choice      `placeholder:"generate|reject" help:"Whether a token without a user gets generated campaigns, or 401 (default generate)."`
	Delay          delay       `placeholder:"TIME" help:"How long every answer takes: 2s, 80ms..250ms, or {median: 80ms, p99: 2s} (default 0s). Users and replies with a delay of their own keep it."`
	Prefer         choice      `placeholder:"on|off" help:"Whether a request can ask for its own answer, as with the header Prefer: code=503 (default on)."`
	Control        control     `default:"on" placeholder:"on|off|HOST:PORT" help:"Whether the server can be controlled under /_fake/, or at an address of its own (default ${default})."`
	Profile        profile     `placeholder:"bare-array|framework|wide" help:"Answer as services of some kind do. Fixtures and other flags override it."`
	Gallery        bool        `help:"Serve the built-in users beside the fixtures, which override them."`
	Journal        number      `default:"1000" placeholder:"N" help:"How many requests to remember (default ${default})."`
	Quiet          bool        `help:"Log only what went wrong: warnings, errors, requests that matched nothing, and then the summary."`
	FailUnmatched  bool        `name:"fail-on-unmatched" help:"Exit with status 3 if a request had a path or a method that the API does not have."`
	LogFormat      choice      `default:"auto" placeholder:"auto|text|columns|json" help:"Format of the log, which goes to standard error: auto is columns on a terminal, and text elsewhere. With json, all output is JSON (default ${default})."`
	Watch          choice      `default:"on" placeholder:"on|off" help:"Whether to read fixtures again when they change (default ${default})."`
	ControlHosts   hosts       `placeholder:"HOST,..." help:"More hosts of the control plane than those that nobody can register: IP addresses, localhost, names without a dot, and names under .localhost, .internal, .test and .svc.cluster.local. On loopback, other hosts than this machine."`
	ControlOrigins pageOrigins `placeholder:"ORIGIN,..." help:"Whose pages may use the control plane, beside its own: origins, as http://localhost:5173."`
	Open           bool        `env:"-" help:"Open the page in the browser once the server answers."`
	tlsFlags       `embed:""`
	ReadyFile      readyFile `placeholder:"FILE" help:"Write the server's URLs to a file, as JSON, once it answers; the file is removed when it stops."`
}

func (c *serveCommand) Run(call *kong.Context) error {
	if err := c.checkFixtures(call); err != nil {
		return usageError{err}
	}
	tuneCollector()
	if err := c.tlsFlags.check(); err != nil {
		return usageError{err}
	}
	switch {
	case c.Control != "off":
	case c.Open:
		return usageError{errors.New("--open needs the page, which --control off turns off; leave one of them out")}
	case c.ControlHosts != nil, c.ControlOrigins != nil:
		return usageError{errors.New("--control-hosts and --control-origins say who may use the control plane, which --control off turns off; leave one of them out")}
	}
	c.Listen = c.Listen.withPort(c.Port)
	if err := c.ReadyFile.clear(); err != nil {
		return err
	}
	queue := newLogQueue(os.Stderr)
	defer queue.Close()
	logger := slog.New(queuedHandler{queue, c.logHandler(queue.out)})
	server, set, err := c.newServer(placesOf(call), logger)
	if err != nil {
		return explainMistakes(err)
	}
	defer server.Close()
	ctx, stop := c.untilSignal(server)
	defer stop()
	go c.watch(ctx, server, logger)
	err = c.listen(ctx, server, set, logger)
	server.Close() // so that the summary is the last line of the log
	if ctx.Err() != nil {
		err = nil // a signal has ended the server
	}
	tally := server.Tally()
	if c.FailUnmatched && tally.Unmatched > 0 {
		logUnmatched(logger, tally)
		err = cmp.Or(err, error(exitStatus(3)))
	}
	if err == nil || tally.Requests > 0 {
		summarize(logger, tally)
	}
	return err
}

// checkFixtures returns an error if the first argument is not meant as fixtures: if it
// is a misspelt command, or this program, which the image starts by itself.
func (c *serveCommand) checkFixtures(call *kong.Context) error {
	if len(c.Fixtures) == 0 {
		return nil
	}
	first := c.Fixtures[0]
	if isThisProgram(first) {
		return fmt.Errorf("%s is this program, not fixtures; leave it out, since the image starts it by itself", first)
	}
	if slices.Contains(call.Args, "serve") {
		return nil
	}
	return misspeltCommand(first, call.Model)
}

// isThisProgram reports whether a file is the program that runs.
func isThisProgram(name string) bool {
	own, _ := os.Executable()
	program, _ := os.Stat(own)
	file, _ := os.Stat(name)
	return os.SameFile(program, file) // false if there is no such file
}

// newServer returns the server, and the fixtures that it starts with.
func (c *serveCommand) newServer(places map[string]string, logger *slog.Logger) (*fake.Server, *fixtures.Set, error) {
	secure, err := c.tlsFlags.options(logger)
	if err != nil {
		return nil, nil, err
	}
	var first *fixtures.Set
	load := func() (*fixtures.Set, error) {
		set, err := c.load(places)
		if first == nil {
			first = set
		}
		return set, err
	}
	options := []fake.Option{
		fake.WithMemory(usableMemory()), fake.WithJournal(int(c.Journal)), fake.WithLogger(logger), fake.WithLoader(load),
		fake.WithControlHosts(c.ControlHosts...), fake.WithControlOrigins(c.ControlOrigins...),
	}
	if c.Profile != "" {
		options = append(options, fake.Profile(string(c.Profile)))
	}
	if c.Control != "on" {
		options = append(options, fake.WithoutControl())
	}
	server, err := fake.New(append(options, secure...)...)
	return server, first, err
}

// untilSignal returns a context that is done when a signal ends the server. A second
// signal ends the process at once. SIGHUP reloads the fixtures and the certificate
// unless it ends the server, and SIGPIPE is ignored.
func (c *serveCommand) untilSignal(server *fake.Server) (context.Context, context.CancelFunc) {
	signals := endings()
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	if !slices.Contains(signals, os.Signal(syscall.SIGHUP)) {
		reloadOnHangup(ctx, server)
	}
	// The server must still answer when nobody reads its output any more, as with
	// campaignfake | head -1.
	signal.Ignore(syscall.SIGPIPE)
	return ctx, stop
}

// endings returns the signals that stop the server. SIGHUP, which a closing terminal
// sends, is one of them in a terminal, unless it is ignored, as under nohup.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) && hasTerminal() {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}
