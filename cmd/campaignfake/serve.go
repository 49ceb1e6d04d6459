package main

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// serveCommand has the flags of the server. The help shows each embedded struct as a group.
type serveCommand struct {
	Fixtures []string `arg:"" optional:"" sep:"none" help:"Files and folders of fixtures. Without any, the gallery is served."`

	addressFlags `group:"Where it listens:"`
	answerFlags  `group:"What it answers:"`
	reportFlags  `group:"What it shows:"`
	controlFlags `group:"Control plane:"`
}

// answerFlags set what the server answers. A setting that a flag gives overrides the same setting
// in fixtures.
type answerFlags struct {
	BasePath      string          `placeholder:"PATH" help:"The path before /user/campaigns (default /api)."`
	UnknownTokens string          `placeholder:"HOW" help:"Tokens without a user: generate (the default), reject, upstream, or as a user, 'like demo'."`
	Upstream      string          `type:"upstream" placeholder:"URL" help:"The real API, to which requests for anything else are passed on."`
	Gallery       bool            `type:"switch" help:"Serve the gallery beside the fixtures, which override it."`
	Text          string          `type:"fixtures" name:"fixtures" placeholder:"YAML" help:"Fixtures as text; those of files override them."`
	Delay         *fixtures.Delay `type:"delay" placeholder:"TIME" help:"How long answers take: 2s, 80ms..250ms, until released."`
	Seed          uint64          `type:"seed" placeholder:"N" help:"Seed of generated campaigns and random delays (default 0)."`
	CORS          []string        `type:"list" name:"cors" placeholder:"WHO" help:"Whose pages may read: any (the default), local (the default with --upstream), off, or origins."`
}

// reportFlags choose how the server tells people and programs what happens.
type reportFlags struct {
	ReadyFile string `placeholder:"FILE" help:"Write the URLs to a file, as JSON, which is removed at the end."`
	logFlags
	Strict bool `type:"switch" help:"Exit with status 3 if a request matched nothing or had a query, or a reply given meanwhile was not played."`
}

// controlFlags choose who may use the control plane, which shows and changes what the server
// answers.
type controlFlags struct {
	Control        bool     `type:"switch" default:"on" help:"--control off leaves out the page /_fake/, and the API under it."`
	ControlHosts   []string `type:"hosts" placeholder:"HOST,..." help:"Hosts of the control plane, beside ${hosts}."`
	ControlOrigins []string `type:"origins" placeholder:"ORIGIN,..." help:"Whose pages may use the control plane, as http://localhost:5173."`
}

// Run serves until a signal arrives, or until call.ctx is done. With --strict the exit status can
// be 3: see statusNotStrict.
func (c *serveCommand) Run(call *call) error {
	// The server must still answer when nobody reads its output any more, for example after
	// campaignfake | head -1.
	signal.Ignore(syscall.SIGPIPE)

	// The first signal ends the server. Run catches further signals until it returns, so that they
	// do not kill the process: for one Ctrl-C, the terminal and npx may each send a signal.
	ctx, stop := signal.NotifyContext(call.ctx, endingSignals()...)
	defer stop()

	logger, queue := c.newLog(call.process.stderr)
	s, err := c.serve(ctx, call, logger)
	queue.close()
	if err != nil {
		return err
	}

	// The first queue is closed, and may be full, so it would lose further lines. The summary gets
	// a new queue.
	logger, queue = c.newLog(call.process.stderr)
	call.status = s.conclude(logger)
	queue.close()
	return nil
}

// serve runs a server until ctx is done, closes it, and returns it for the summary. It returns an
// error if the server cannot start, or if its listener fails.
func (c *serveCommand) serve(
	ctx context.Context, call *call, logger *slog.Logger,
) (*serving, error) {
	for _, warning := range call.warnings() {
		logger.Warn(warning)
	}
	if err := c.readyFile(call).removeOld(); err != nil {
		return nil, err
	}

	call.process.tuneCollector()
	s, err := c.newServing(call, logger)
	if err != nil {
		return nil, err
	}
	defer s.server.Close()
	return s, s.listen(ctx)
}

// endingSignals returns the signals that end the server.
func endingSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup makes the process ignore SIGHUP
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// A serving holds the server that the command serve runs, and the flags and the call from which the
// server was made.
type serving struct {
	*serveCommand
	call   *call
	logger *slog.Logger
	server *fake.Server

	stamp string        // what fixtures.Stamp returned when load last read the fixtures
	set   *fixtures.Set // the users and settings that load last returned
}

// newServing makes the server that the flags describe.
func (c *serveCommand) newServing(call *call, logger *slog.Logger) (*serving, error) {
	if len(c.Fixtures) == 0 && c.Text == "" {
		c.Gallery = true // otherwise there would be no users to look at
	}

	for _, name := range leftOut(c.Fixtures) {
		logger.Warn(warningOfLeftOut(name))
	}
	s := &serving{serveCommand: c, call: call, logger: logger}
	options := []fake.Option{
		fake.WithLogger(logger),
		fake.WithLoader(s.load),
		fake.WithControlHosts(c.ControlHosts...),
		fake.WithControlOrigins(c.ControlOrigins...),
	}
	if c.scheme() == "https" {
		certificate, err := c.certificate(call)
		if err != nil {
			return nil, err
		}
		options = append(options, fake.WithTLS(certificate))
	}
	if !c.Control {
		options = append(options, fake.WithoutControl())
	}

	if c.Upstream != "" {
		api, _ := url.Parse(c.Upstream) // cannot fail: checkUpstream has parsed it
		options = append(options, fake.WithUpstream(api))
	}

	server, err := fake.New(options...)
	if err != nil {
		return nil, byFlags(err)
	}
	s.server = server
	return s, nil
}

// byFlags turns an error of fake.New into a usageError if every wrong setting comes from a flag or
// an environment variable. The parser of the command line cannot find these mistakes: only package
// fake checks all settings together.
func byFlags(err error) error {
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) || slices.ContainsFunc(mistakes.List, isOfFile) {
		return err
	}
	return usageError{err}
}

// isOfFile reports whether a mistake is in a file or in the text of --fixtures. Otherwise it is in
// a setting that a flag or an environment variable gave.
func isOfFile(m fixtures.Mistake) bool {
	isByFlag := strings.HasPrefix(m.File, "--") || strings.HasPrefix(m.File, variablePrefix)
	isSetting := m.Line == 0
	return !isByFlag || !isSetting
}

// statusNotStrict is the exit status with --strict if a request matched nothing or had a query. It
// is also the exit status if a reply was not played. Replies from files of fixtures do not count.
const statusNotStrict = 3

// conclude logs a summary of the requests, and returns the exit status. With --strict it first logs
// the requests that --strict does not allow, but only the first ten different requests. Then it
// logs the replies in Tally.Unplayed, which leaves out replies from files of fixtures.
func (s *serving) conclude(logger *slog.Logger) (status int) {
	tally := s.server.Tally()
	if s.Strict {
		for _, problem := range slices.Concat(tally.Wrong, tally.Unplayed) {
			status = statusNotStrict
			logger.Error("this fails the run, since --strict is on",
				slog.String("problem", problem))
		}
	}

	level := slog.LevelInfo
	if tally.Unmatched > 0 {
		level = slog.LevelWarn // so that --quiet does not leave the summary out
	}
	counts := []slog.Attr{
		slog.Int("requests", tally.Requests),
		slog.Int("unmatched", tally.Unmatched),
		slog.Int("unknown_tokens", tally.Unknown),
		slog.Int("without_token", tally.WithoutToken),
	}
	if s.Upstream != "" {
		counts = append(counts, slog.Int("passed_on", tally.PassedOn))
	}
	logger.LogAttrs(context.Background(), level, "summary", counts...)
	return status
}
