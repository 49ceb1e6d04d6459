package main

import (
	"fmt"
	"strings"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

type compareCommand struct {
	BaseURL  string   `arg:"" help:"The base URL of the service, as https://example.com/api."`
	Fixtures []string `arg:"" optional:"" sep:"none" help:"Files and folders of fixtures, whose settings are compared."`

	Gallery bool         `type:"switch" help:"Lay the fixtures over the gallery, as serve --gallery does."`
	Service serviceToken `embed:""`
	Origin  string       `type:"origin" env:"-" placeholder:"ORIGIN" help:"Compare CORS, too, for pages of this origin."`
	Skip    []string     `type:"list" env:"-" placeholder:"NAMES" help:"Leave settings and facts with these names out."`
}

// The exit statuses of compare, beside 0 to 2.
const (
	statusDiffers = 4 // the fake differs from the service
	statusNotSeen = 5 // the fake does not differ, but not all of the service was seen
)

// Run prints the difference to standard output. To standard error it prints what it did not
// compare, and why.
func (c *compareCommand) Run(call *call) error {
	token, err := c.Service.read(call)
	if err != nil {
		return usageError{err}
	}
	target := fake.Target{BaseURL: c.BaseURL, Token: token, Origin: c.Origin, Skip: c.Skip}
	err = target.Check()
	if err != nil {
		return usageError{err}
	}
	set, err := fixtures.Load(c.Fixtures...)
	if err != nil {
		return err
	}
	if c.Gallery {
		set = besideGallery(set)
	}
	set = overDefaults(set) // generate is the default for unknown_tokens, as in serve
	notCompared := leaveOutUnknownTokens(set, &target)
	server, err := fake.New(fake.WithLoader(func() (*fixtures.Set, error) {
		return set, nil
	}))
	if err != nil {
		return err
	}
	defer server.Close()
	difference, err := fake.Compare(call.ctx, server, target)
	if err != nil {
		return fmt.Errorf("nothing was compared: %w", err)
	}
	switch {
	case len(difference.Names) > 0:
		call.status = statusDiffers
	case len(difference.NotSeen) > 0:
		call.status = statusNotSeen
	}
	_, err = fmt.Fprint(call.process.stdout, headline(difference), difference.YAML)
	call.printNotes(difference.NotSeen)
	call.printNotes(notCompared)
	return err
}

// leaveOutUnknownTokens returns a note that Compare does not compare unknown_tokens. For the value
// reject it returns nil, since Compare compares this value. With the value upstream, the fake would
// pass requests on to the service, and Compare would compare the service with itself. So
// leaveOutUnknownTokens then sets the value to reject. It also adds the answers to unknown tokens
// and to other paths to target.Skip.
func leaveOutUnknownTokens(set *fixtures.Set, target *fake.Target) []string {
	switch set.Service.UnknownTokens {
	case fixtures.UnknownTokensReject:
		return nil
	case fixtures.UnknownTokensUpstream:
		set.Service.UnknownTokens = fixtures.UnknownTokensReject // reject needs no upstream
		target.Skip = append(target.Skip,
			"unknown_tokens", "responses.invalid_token", "responses.not_found")
		return []string{"tokens without a user, and other paths: not compared, " +
			"since the upstream answers them"}
	}
	return []string{fmt.Sprintf("tokens without a user: not compared, since the fake has "+
		"unknown_tokens: %s; if the service refuses them, write reject",
		set.Service.UnknownTokens)}
}

// headline returns the first lines of the output, which explain the difference below.
func headline(difference *fake.Difference) string {
	if len(difference.Names) > 0 {
		lines := "# The fake (-) differs from the service (+). " +
			"Write the lines with + into your fixtures.\n"
		hasFacts := strings.Contains("\n"+difference.YAML, "\n+#")
		if hasFacts {
			lines += "# For a line with # no setting was found: campaigns that are written out, " +
				"or the body of a reply, can\n# do that, as campaignfake record prints them. " +
				"Then leave the line out with --skip.\n"
		}
		return lines
	}
	line := "# The fake does what the service does"
	if len(difference.NotSeen) > 0 {
		line += ", as far as it was seen"
	}
	if difference.YAML != "" {
		line += ", but for what few clients care about"
	}
	return line + ".\n"
}

// printNotes prints sentences to standard error, each on a line.
func (c *call) printNotes(notes []string) {
	for _, note := range notes {
		fmt.Fprintf(c.process.stderr, "campaignfake: %s\n", printable(note))
	}
}
