package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

type compareCommand struct {
	BaseURL  string   `arg:"" help:"The base URL of the service, as https://example.com/api."`
	Fixtures []string `arg:"" optional:"" sep:"none" help:"Files and folders of fixtures, whose settings are compared."`

	Gallery bool         `type:"switch" help:"Lay the fixtures over the gallery, as serve --gallery does."`
	Service serviceToken `embed:""`
	Origin  string       `type:"origin" env:"-" placeholder:"ORIGIN" help:"Compare CORS, too, for pages of this origin."`
	Skip    []string     `type:"list" env:"-" placeholder:"NAMES" help:"Leave findings with these names out."`
	Write   string       `env:"-" placeholder:"FILE" help:"Write the settings to a new file, to be served beside the others."`
}

// The statuses if the fake differs from the service, or if not all of the service was seen.
const (
	statusDiffers = 4
	statusNotSeen = 5
)

// Run writes the settings if that is asked for, and prints what differs, what to write, and notes.
func (c *compareCommand) Run(call *call) error {
	target, err := c.target(call)
	if err != nil {
		return usageError{err}
	}
	set, mistakes := fixtures.Load(c.Fixtures...)
	if c.Gallery {
		set = besideGallery(set)
	}
	set = overDefaults(set) // as serve has them, so that what it would answer is compared
	note := noteOnUnknownTokens(set.Service.UnknownTokens)
	if set.Service.UnknownTokens == fixtures.UnknownTokensUpstream {
		note = skipUpstream(set, &target)
	}
	result, err := compareWith(call, set, mistakes, target)
	if err != nil {
		return err
	}
	call.status = statusOf(result.Findings)
	page, err := newComparisonPage(result, c.Write)
	if err != nil {
		return err
	}
	err = page.writeFile()
	fmt.Fprint(call.process.stdout, printable(page.String()), note)
	return err
}

// compareWith compares a server that has a set of fixtures with the service. It fails if there are
// mistakes in the set.
func compareWith(
	call *call, set *fixtures.Set, mistakes error, target fake.Target,
) (*fake.Comparison, error) {
	server, err := fake.New(fake.WithLoader(func() (*fixtures.Set, error) {
		return set, mistakes
	}))
	if err != nil {
		return nil, err
	}
	defer server.Close()
	result, err := fake.Compare(call.ctx, server, target)
	if err != nil {
		return nil, fmt.Errorf("nothing was compared: %w", err)
	}
	return result, nil
}

// statusOf returns the status of a comparison: 4 if something differs, 5 if nothing does, as far as
// it was seen, and else 0.
func statusOf(findings []fake.Finding) int {
	status := 0
	for _, f := range findings {
		switch f.Verdict {
		case fake.VerdictDiffers:
			return statusDiffers
		case fake.VerdictNotSeen:
			status = statusNotSeen
		}
	}
	return status
}

// noteOnUnknownTokens returns a note that it is not compared whether tokens without a user are
// refused, unless the fake refuses them.
func noteOnUnknownTokens(setting string) string {
	if setting == fixtures.UnknownTokensReject {
		return ""
	}
	return "\nnot compared, since unknown_tokens is " + setting +
		": whether tokens without a user are refused\n"
}

// skipUpstream leaves out what the upstream answers, which is the service itself, and returns a
// note about it.
func skipUpstream(set *fixtures.Set, target *fake.Target) string {
	set.Service.UnknownTokens = fixtures.UnknownTokensReject
	target.Skip = append(target.Skip,
		"unknown_tokens", "responses.invalid_token", "responses.not_found")
	return "\nnot compared, since the upstream answers them: " +
		"tokens without a user, and other paths\n"
}

// target returns the service that the flags name.
func (c *compareCommand) target(call *call) (fake.Target, error) {
	token, err := c.Service.read(call)
	if err != nil {
		return fake.Target{}, err
	}
	err = c.checkWrite()
	if err != nil {
		return fake.Target{}, err
	}
	target := fake.Target{BaseURL: c.BaseURL, Token: token, Origin: c.Origin, Skip: c.Skip}
	return target, target.Check()
}

// checkWrite returns an error if the file to which settings are written is there already, or cannot
// be made. It makes the file, and removes it again.
func (c *compareCommand) checkWrite() error {
	if c.Write == "" {
		return nil
	}
	file, err := os.OpenFile(c.Write, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("--write: the file %s is there already; name a new one", c.Write)
	}
	if err != nil {
		return writeError(err)
	}
	file.Close()
	return os.Remove(c.Write)
}

// writeError returns an error that says that settings cannot be written, and what to do.
func writeError(err error) error {
	return fmt.Errorf("--write: %w; name a new file in a folder that is there, "+
		"and that this user may write to", err)
}
