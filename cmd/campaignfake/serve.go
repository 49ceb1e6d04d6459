package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
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

	Fixtures []string `arg:"file" placeholder:"FILE" help:"Files and folders of fixtures. Without any, the built-in gallery is served."`

	Listen         address         `flag:"listen" default:"${listen}" placeholder:"HOST:PORT" help:"Where to listen; port 0 takes any free port (default ${default})."`
	Port           port            `flag:"port" env:"off" placeholder:"N" help:"The port to listen on, 0 for any free one; the host stays that of --listen."`
	BasePath       basePath        `flag:"base-path" placeholder:"PATH" help:"The path before /user/campaigns (default /api)."`
	Seed           *seed           `flag:"seed" placeholder:"N" help:"Seed of generated campaigns, and of random delays (default 0)."`
	CORS           origins         `flag:"cors" placeholder:"WHO" help:"Whose pages may read answers: any, off, or origins with commas between them (default any)."`
	UnknownTokens  choice          `flag:"unknown-tokens" placeholder:"generate|reject" help:"Whether a token without a user gets generated campaigns, or 401 (default generate)."`
	Delay          *fixtures.Delay `flag:"delay" placeholder:"TIME" help:"How long every answer takes: 2s, 80ms..250ms, or until released (default 0s). Users and replies with a delay of their own keep it."`
	Control        control         `flag:"control" default:"on" placeholder:"on|off|HOST:PORT" help:"Whether the server can be controlled under /_fake/, or at an address of its own (default ${default})."`
	Gallery        bool            `flag:"gallery" help:"Serve the built-in users beside the fixtures, which override them."`
	Text           fixturesText    `flag:"fixtures" placeholder:"YAML" help:"Fixtures as text, as in CAMPAIGNFAKE_FIXTURES of a pipeline that can mount no file. Those of files override them."`
	Journal        number          `flag:"journal" default:"1000" placeholder:"N" help:"How many requests to remember (default ${default})."`
	Quiet          bool            `flag:"quiet" help:"Log only what went wrong: warnings, errors, requests that matched nothing or had no token that could be read, and then the summary."`
	FailUnmatched  bool            `flag:"fail-on-unmatched" help:"Exit with status 3 if a request had a path or a method that the API does not have, or could not be read."`
	LogFormat      choice          `flag:"log-format" default:"auto" placeholder:"auto|text|columns|json" help:"Format of the log, which goes to standard error: auto is columns on a terminal, and text elsewhere. With json, all output is JSON (default ${default})."`
	Watch          choice          `flag:"watch" default:"on" placeholder:"on|off" help:"Whether to read fixtures again when they change (default ${default})."`
	ControlHosts   hosts           `flag:"control-hosts" placeholder:"HOST,..." help:"More hosts of the control plane than those that nobody can register: IP addresses, localhost, names without a dot, and names under .localhost, .internal, .test, .svc and .svc.cluster.local. On loopback, other hosts than this machine."`
	ControlOrigins pageOrigins     `flag:"control-origins" placeholder:"ORIGIN,..." help:"Whose pages may use the control plane, beside its own: origins, as http://localhost:5173."`
	Grace          grace           `flag:"grace" default:"5s" placeholder:"TIME" help:"How long answers in flight may take once a signal ends the server; what waits longer is ended at once (default ${default})."`
	Open           bool            `flag:"open" env:"off" help:"Open the page in the browser once the server answers."`
	tlsFlags
	ReadyFile readyFile `flag:"ready-file" placeholder:"FILE" help:"Write the server's URLs to a file, as JSON, once it answers; the file is removed when it stops."`
}

func (c *serveCommand) run(call *call) error {
	if err := c.check(); err != nil {
		return usageError{err}
	}
	c.Listen = c.Listen.withPort(c.Port)
	if err := c.ReadyFile.clear(); err != nil {
		return err
	}
	call.tuneCollector()
	queue := newLogQueue(call.stderr, func(out io.Writer) slog.Handler { return c.logHandler(call.process, out) })
	defer queue.Close()
	logger := queue.logger()
	waiting := time.AfterFunc(pipePatience, func() { c.warnOfPipes(logger) })
	server, set, err := c.newServer(call, logger)
	waiting.Stop()
	if err != nil {
		return explainMistakes(err)
	}
	defer server.Close()
	ctx, stop := untilSignal(call)
	defer stop()
	// The server must still answer when nobody reads its output any more, as with
	// campaignfake | head -1.
	signal.Ignore(syscall.SIGPIPE)
	reloadOnHangup(ctx, server)
	go c.watch(ctx, call.watchInterval, server, logger)
	go returnMemory(ctx)
	err = c.listen(ctx, call.process, server, set, logger)
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

// check returns an error if flags contradict each other.
func (c *serveCommand) check() error {
	isOff := c.Control == "off"
	switch {
	case len(c.Fixtures) > 0 && isThisProgram(c.Fixtures[0]):
		return fmt.Errorf("%s is this program, not fixtures; leave it out, since the image starts it by itself", c.Fixtures[0])
	case isOff && c.Open:
		return errors.New("--open needs the page, which --control off turns off; leave one of them out")
	case isOff && (c.ControlHosts != nil || c.ControlOrigins != nil):
		return errors.New("--control-hosts and --control-origins say who may use the control plane, which --control off turns off; leave one of them out")
	}
	return c.tlsFlags.check()
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
	secure, err := c.tlsFlags.options(logger)
	if err != nil {
		return nil, nil, err
	}
	var first *fixtures.Set
	load := func() (*fixtures.Set, error) {
		set, err := c.load(call)
		if first == nil {
			first = set
		}
		return set, err
	}
	options := []fake.Option{
		fake.WithJournal(int(c.Journal)), fake.WithLogger(logger), fake.WithLoader(load),
		fake.WithControlHosts(c.ControlHosts...), fake.WithControlOrigins(c.ControlOrigins...),
	}
	if c.Control != "on" {
		options = append(options, fake.WithoutControl())
	}
	server, err := fake.New(append(options, secure...)...)
	return server, first, err
}

// echo is how long after a signal others count as the same one: a terminal sends Ctrl-C
// to each process of a group, and npx and the launcher of the npm package hand it on.
const echo = 500 * time.Millisecond

// untilSignal returns a context that is done when a signal ends the command. A second
// signal ends the process at once, unless it is an echo.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, endings()...)
	context.AfterFunc(ctx, func() { time.AfterFunc(echo, stop) })
	return ctx, stop
}

// endings returns the signals that end a command. SIGHUP, which a closing terminal
// sends, is one of them in a terminal, unless it is ignored, as under nohup.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) && hasTerminal() {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}
