package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
	"github.com/alecthomas/kong"
)

type serveCommand struct {
	read atomic.Pointer[string] // the digest of the fixtures when they were last read

	Fixtures []string `arg:"" optional:"" help:"Files and folders of fixtures. Without any, the built-in gallery is served."`

	Listen        address       `default:"${listen}" placeholder:"HOST:PORT" help:"Where to listen: this machine alone unless another address is given, any free port with port 0 (default ${default})."`
	BasePath      basePath      `placeholder:"PATH" help:"What stands before /user/campaigns (default /api)."`
	Seed          seed          `placeholder:"N" help:"Seed of generated campaigns, and of drawn delays and faults (default 0)."`
	CORS          origins       `name:"cors" placeholder:"WHO" help:"Whose pages may read answers: any, off, or origins with commas between them (default any)."`
	UnknownTokens unknownTokens `placeholder:"generate|reject" help:"What becomes of tokens that no user has (default generate)."`
	Delay         delay         `placeholder:"TIME" help:"How long to hold every answer back: 2s, 80ms..250ms, or {median: 80ms, p99: 2s} (default 0s). Users and replies with a delay of their own keep it."`
	Prefer        prefer        `placeholder:"on|off" help:"Whether a request can ask for its own answer, as with the header Prefer: code=503 (default on)."`
	Control       control       `default:"on" placeholder:"on|off|HOST:PORT" help:"Whether others can steer the server under /_fake/, or at an address of its own (default ${default})."`
	Gallery       bool          `help:"Serve the built-in users beside the fixtures; where both have a token, the fixtures hold."`
	Journal       number        `default:"1000" placeholder:"N" help:"How many requests to remember (default ${default})."`
	Quiet         bool          `help:"Do not log requests."`
	FailUnmatched bool          `name:"fail-on-unmatched" help:"Exit with status 3 if a request matched nothing: a client that calls the wrong thing fails a pipeline."`
	LogFormat     logFormat     `default:"text" placeholder:"text|json" help:"How to log requests, on standard error (default ${default})."`
	Watch         onOff         `default:"on" placeholder:"on|off" help:"Whether to read fixtures again when they change (default ${default})."`
	tlsFlags      `embed:""`
	ReadyFile     readyFile `placeholder:"FILE" help:"Write the server's address to a file, as JSON, once it answers; the file is removed when it stops."`
}

func (c *serveCommand) Run(call *kong.Context) error {
	if len(c.Fixtures) > 0 && !slices.Contains(call.Args, "serve") {
		if err := misspeltCommand(c.Fixtures[0], call.Model); err != nil {
			return usageError{err}
		}
	}
	if len(c.Fixtures) > 0 && isThisProgram(c.Fixtures[0]) {
		return usageError{fmt.Errorf("%s is this program, and no fixtures; leave it out, since an image starts it by itself", c.Fixtures[0])}
	}
	tuneCollector()
	if err := c.tlsFlags.check(); err != nil {
		return usageError{err}
	}
	if err := c.ReadyFile.clear(); err != nil {
		return err
	}
	certificate, err := c.certificate()
	if err != nil {
		return err
	}
	var set *fixtures.Set // the first that is read
	places := c.places(call)
	options := c.options(func() (*fixtures.Set, error) {
		read, err := c.load(places)
		if set == nil {
			set = read
		}
		return read, err
	})
	queue := newLogQueue(os.Stderr)
	defer queue.Close()
	logger := c.logger(queue)
	options = append(options, fake.WithLogger(logger))
	if certificate != nil {
		options = append(options, fake.TLS(*certificate))
	}
	server, err := fake.New(options...)
	if err != nil {
		return unusable(err)
	}
	defer server.Close()

	// From here on a signal ends the server in order. A second one ends the
	// process at once, whatever the first is waiting for.
	ends := endings()
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	context.AfterFunc(ctx, stop)
	if !slices.Contains(ends, os.Signal(syscall.SIGHUP)) {
		reloadOnHangup(ctx, server)
	}
	go c.watch(ctx, server, logger)
	// A server whose output nobody reads any more, as in campaignfake | head -1,
	// still has requests to answer.
	signal.Ignore(syscall.SIGPIPE)

	err = c.serve(ctx, server, set, certificate, logger)
	server.Close() // so that nothing comes after the summary
	if ctx.Err() != nil {
		err = nil // whatever the signal interrupted
	}
	tally := server.Tally()
	if c.FailUnmatched && tally.Unmatched > 0 {
		logUnmatched(logger, tally)
		err = cmp.Or(err, error(exitStatus(3)))
	}
	summarize(logger, tally)
	return err
}

// endings are the signals that end the server in order. That of a terminal which
// is closed is one of them, unless it was to be ignored, as nohup has it.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) && hasTerminal() {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// serve listens until ctx is done.
func (c *serveCommand) serve(ctx context.Context, server *fake.Server, set *fixtures.Set, certificate *tls.Certificate, logger *slog.Logger) error {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", string(c.Listen))
	if err != nil {
		return noListener(err, c.Listen, "--listen")
	}
	root := address(listener.Addr().String()).url(c.scheme())
	controlRoot := root
	failed := make(chan error, 2)
	if own := c.Control.own(); own != "" {
		listener, err := config.Listen(ctx, "tcp", string(own))
		if err != nil {
			return noListener(err, own, "--control")
		}
		controlRoot = address(listener.Addr().String()).url(c.scheme())
		plane := &http.Server{
			Handler:           server.Control(),
			ReadHeaderTimeout: 10 * time.Second,
			IdleTimeout:       2 * time.Minute,
			MaxHeaderBytes:    64 << 10,
			ErrorLog:          log.New(io.Discard, "", 0),
		}
		defer plane.Close()
		serve := plane.Serve
		if certificate != nil {
			plane.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*certificate}}
			serve = func(l net.Listener) error { return plane.ServeTLS(l, "", "") }
		}
		go func() { failed <- serve(listener) }()
	}
	go func() { failed <- server.Serve(listener) }()

	service := server.Service()
	if c.ReadyFile != "" {
		remove, err := c.ReadyFile.write(ctx, root, service.BasePath, controlRoot)
		if err != nil {
			return err
		}
		defer remove()
	}
	// Printing can take for ever, on a terminal that is stopped or into a pipe
	// that is full. Signals are heard all the same.
	page := controlRoot
	if c.Control == "off" {
		page = ""
	}
	go (&banner{set: set, root: root, control: page, service: service, source: c.source(), trust: c.curlTrust()}).print(os.Stdout)
	if tcp, ok := listener.Addr().(*net.TCPAddr); ok && tcp.IP.IsLoopback() && os.Getpid() == 1 {
		logger.Warn("nobody outside of this container reaches the server; leave --listen out, or give it a port alone, as :8642", slog.String("listen", string(c.Listen)))
	}
	select {
	case err = <-failed:
		return err
	case <-ctx.Done():
		server.Close() // before the control plane's own listener, whose answers end in order then
		return nil
	}
}

// load reads the fixtures, and the gallery if it is wanted. Flags go before what
// they say of the service, and both before the defaults; places are those of the
// flags that were given.
func (c *serveCommand) load(places map[string]string) (*fixtures.Set, error) {
	set, err := c.loadWhole()
	if err != nil {
		return nil, err
	}
	if len(c.Fixtures) == 0 || c.Gallery {
		gallery, err := fixtures.LoadFS(fixtures.Gallery())
		if err != nil {
			return nil, err
		}
		set = gallery.Overlay(set)
	}
	set.Service = fixtures.Service{UnknownTokens: "generate"}.Overlay(set.Service).Overlay(fixtures.Service{
		BasePath: string(c.BasePath), CORS: c.CORS, UnknownTokens: string(c.UnknownTokens), Prefer: string(c.Prefer), Delay: c.Delay.value,
	})
	if c.Seed.given {
		set.Service.Seed = c.Seed.value
	}
	maps.Copy(set.Places, places)
	return set, nil
}

// loadWhole reads the fixtures when nobody is writing them: what was read while
// they changed may be half of it, and is read again.
func (c *serveCommand) loadWhole() (set *fixtures.Set, err error) {
	const attempts = 20
	for range attempts {
		before := fixtures.Digest(c.Fixtures...)
		set, err = loadFixtures(c.Fixtures)
		after := fixtures.Digest(c.Fixtures...)
		c.read.Store(&after)
		if after == before {
			break
		}
	}
	return set, err
}

// places returns where settings of the service were given: the flags, and the
// variables, by the names that fixtures have for the settings.
func (c *serveCommand) places(call *kong.Context) map[string]string {
	places := make(map[string]string)
	for _, part := range call.Path {
		if part.Flag != nil {
			places[strings.ReplaceAll(part.Flag.Name, "-", "_")] = "--" + part.Flag.Name
		}
	}
	for _, flag := range call.Flags() {
		name := strings.ReplaceAll(flag.Name, "-", "_")
		for _, variable := range flag.Envs {
			if places[name] == "" && os.Getenv(variable) != "" {
				places[name] = variable
			}
		}
	}
	return places
}

// loadFixtures loads what was named.
func loadFixtures(paths []string) (*fixtures.Set, error) {
	if slices.Contains(paths, "") { // an unset variable in quotes
		return nil, usageError{errors.New(`the name "" of a file or folder is empty; name one, or leave it out`)}
	}
	return fixtures.Load(paths...)
}

// isThisProgram reports the file that is being executed.
func isThisProgram(name string) bool {
	own, err := os.Executable()
	if err != nil {
		return false
	}
	program, err := os.Stat(own)
	if err != nil {
		return false
	}
	file, err := os.Stat(name)
	return err == nil && os.SameFile(program, file)
}

// unusable says of what mistakes are.
func unusable(err error) error {
	if errors.As(err, new(*fixtures.Mistakes)) {
		return fmt.Errorf("the fixtures cannot be used:\n%w", err)
	}
	return err
}

func (c *serveCommand) options(load func() (*fixtures.Set, error)) []fake.Option {
	options := []fake.Option{fake.WithLoader(load), fake.WithJournal(int(c.Journal))}
	if c.Control != "on" {
		options = append(options, fake.WithoutControl())
	}
	return options
}

func (c *serveCommand) logger(queue *logQueue) *slog.Logger {
	options := &slog.HandlerOptions{}
	if c.Quiet {
		options.Level = slog.LevelError // which no request has
	}
	var format slog.Handler = slog.NewTextHandler(queue.out, options)
	if c.LogFormat == "json" {
		format = slog.NewJSONHandler(queue.out, options)
	}
	return slog.New(queuedHandler{queue, format})
}

func (c *serveCommand) source() string {
	switch {
	case len(c.Fixtures) == 0:
		return "the built-in gallery"
	case c.Gallery:
		return strings.Join(c.Fixtures, ", ") + " beside the built-in gallery"
	}
	return strings.Join(c.Fixtures, ", ")
}

// noListener explains why there is no listening on the address that a flag has.
func noListener(err error, on address, flag string) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		host, _, _ := net.SplitHostPort(string(on))
		return fmt.Errorf("%s is in use by another program; choose another port with %s, or %s for any free one", on, flag, net.JoinHostPort(host, "0"))
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("this user may not listen on %s; choose a port from 1024 on with %s", on, flag)
	}
	return fmt.Errorf("there is no listening on %s (%v); choose another address with %s", on, errors.Unwrap(err), flag)
}
