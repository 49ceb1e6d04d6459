package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// recordedToken is the default of --token: the token of the user in the fixture.
const recordedToken = "recorded"

type recordCommand struct {
	From string `arg:"" optional:"" placeholder:"URL|FILE|-" help:"The base URL of the service, as https://example.com/api, or a file with an answer that was saved, or - for standard input: curl … | campaignfake record -"`

	Service  serviceToken `embed:""`
	Token    string       `type:"token" env:"-" default:"recorded" placeholder:"NAME" help:"The token of the user in the fixture, not that of the service (default ${default})."`
	Settings bool         `type:"switch" env:"-" help:"Print the settings of the service in place of its campaigns."`
	Origin   string       `type:"origin" env:"-" placeholder:"ORIGIN" help:"With --settings, also CORS, for pages of this origin."`
}

// Run prints a file of fixtures: a user who gets the recorded campaigns, or with --settings the
// settings of the service. It prints notes to standard error.
func (c *recordCommand) Run(call *call) error {
	err := c.checkFlags()
	if err != nil {
		return usageError{err}
	}
	if c.Settings {
		err = c.recordSettings(call)
	} else {
		err = c.recordCampaigns(call)
	}
	if err == nil || errors.As(err, new(usageError)) {
		return err
	}
	// The error is not wrapped by %w: printError would find the fixtures.Mistakes inside, and blame
	// the fixtures.
	return fmt.Errorf("nothing was recorded: %v", err)
}

// checkFlags returns an error for flags that do not go together.
func (c *recordCommand) checkFlags() error {
	switch {
	case c.From == "":
		return errors.New("there is nothing to record; write the base URL of the " +
			"service, a file with its answer, or - for standard input")
	case c.Settings && c.isSaved():
		return errors.New("--settings asks the service; write its base URL")
	case c.Settings && c.Token != recordedToken:
		return errors.New("--token is for campaigns, which --settings does not print; " +
			"leave one of them out")
	case !c.Settings && c.Origin != "":
		return errors.New("--origin is for --settings; write that, too, or leave it out")
	}
	return nil
}

// recordCampaigns prints a fixture whose user gets the answer of the service.
func (c *recordCommand) recordCampaigns(call *call) error {
	recording, err := c.record(call)
	if err != nil {
		return err
	}
	call.printNotes(recording.Notes)
	set := fixtures.Set{Users: map[string]fixtures.User{c.Token: recording.User}}
	return set.WriteYAML(call.process.stdout)
}

// record records the answer of the service, or an answer saved in a file or in standard input.
func (c *recordCommand) record(call *call) (*fake.Recording, error) {
	target, err := c.target(call)
	if err != nil {
		return nil, err
	}
	if !c.isSaved() {
		return fake.Record(call.ctx, target)
	}
	body, err := c.readAnswer(call)
	if err != nil {
		return nil, err
	}
	return fake.RecordAnswer(body, target.Token)
}

// recordSettings asks the service several times, and prints its settings.
func (c *recordCommand) recordSettings(call *call) error {
	target, err := c.target(call)
	if err != nil {
		return err
	}
	observation, err := fake.Observe(call.ctx, target)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(call.process.stdout, observation.YAML)
	call.printNotes(observation.NotSeen)
	return err
}

// isSaved reports whether the answer comes from a file or standard input, not from the service.
func (c *recordCommand) isSaved() bool { return !strings.Contains(c.From, "://") }

// target returns the URL and the token of the service. For a saved answer the token may be "". If
// flags give the token, fake.RecordAnswer replaces it where the answer contains it.
func (c *recordCommand) target(call *call) (fake.Target, error) {
	target := fake.Target{BaseURL: c.From, Origin: c.Origin}
	isWithoutToken := c.Service == serviceToken{}
	if c.isSaved() && isWithoutToken {
		return target, nil
	}
	var err error
	target.Token, err = c.Service.read(call)
	if err == nil && target.Token == c.Token {
		err = errors.New("--token is that of the service, " +
			"which is never printed; name another one for the fixture, or none")
	}
	if err == nil && !c.isSaved() {
		err = target.Check()
	}
	if err != nil {
		return target, usageError{err}
	}
	return target, nil
}

// readAnswer reads a saved answer from a file or from standard input.
func (c *recordCommand) readAnswer(call *call) ([]byte, error) {
	if c.From == "-" {
		return readEnough(call.process.stdin)
	}
	file, err := os.Open(c.From)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w; a URL begins with https://", err)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readEnough(file)
}

// readEnough reads at most 16 MiB of an answer or of fixtures. More is not needed:
// fake.RecordAnswer and fixtures.LoadText refuse more than 8 MiB.
func readEnough(from io.Reader) ([]byte, error) {
	const enough = 16 << 20
	return io.ReadAll(io.LimitReader(from, enough))
}
