package main

import "log/slog"

// openAPICommand has the arguments of serve, and each flag of serve that can change an answer. So
// people can copy these arguments and flags from the command line of a server. Some flags, for
// example --delay, change nothing in the OpenAPI document.
type openAPICommand struct {
	Fixtures []string `arg:"" optional:"" sep:"none" help:"Files and folders of fixtures."`

	answerFlags `group:"What the service answers:"`
}

// Run prints what the server would answer to GET /_fake/api.json.
func (c *openAPICommand) Run(call *call) error {
	served := serveCommand{
		Fixtures:    c.Fixtures,
		answerFlags: c.answerFlags,
	}
	s, err := served.newServing(call, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer s.server.Close()
	_, err = call.process.stdout.Write(s.server.OpenAPI())
	return err
}
