package main

import (
	"errors"
	"fmt"
	"slices"

	"example.com/campaignfake/fixtures"
)

type checkCommand struct {
	Fixtures []string `arg:"" sep:"none" help:"Files and folders of fixtures, or - for standard input."`
	Gallery  bool     `type:"switch" help:"Check them beside the gallery, as serve --gallery has them."`
}

// Run returns the mistakes in fixtures as an error. Without a mistake, it prints how many users the
// fixtures have. An unexpected number shows people that they have checked the wrong file.
func (c *checkCommand) Run(call *call) error {
	own, err := c.load(call)
	if err != nil {
		return err
	}
	set := own
	if c.Gallery {
		set = besideGallery(own)
	}

	// Some rules need all users, for example unknown_tokens: like demo.
	if err := set.Check(); err != nil {
		return err
	}
	for _, name := range leftOut(c.Fixtures) {
		fmt.Fprintf(call.process.stderr, "campaignfake: %s\n", printable(warningOfLeftOut(name)))
	}
	fmt.Fprintln(call.process.stdout, "no mistakes; users:", len(own.Users))
	return nil
}

// load reads the files and folders of the command line, or standard input.
func (c *checkCommand) load(call *call) (*fixtures.Set, error) {
	switch {
	case !slices.Contains(c.Fixtures, "-"):
		return fixtures.Load(c.Fixtures...)
	case len(c.Fixtures) > 1:
		return nil, usageError{errors.New("- is standard input, and is checked alone; " +
			"name it alone, or files and folders")}
	}
	content, err := readEnough(call.process.stdin)
	if err != nil {
		return nil, err
	}
	return fixtures.LoadText("standard input", string(content))
}

// besideGallery returns the users and settings of the argument `set` and of the gallery. If a token
// or a setting is in both, the result has the user or the value of `set`.
func besideGallery(set *fixtures.Set) *fixtures.Set {
	gallery, err := fixtures.LoadFS(fixtures.Gallery())
	if err != nil {
		panic(err) // cannot happen: the gallery is embedded in the program
	}
	return gallery.Overlay(set)
}

type generateCommand struct {
	Token string `type:"token" required:"" placeholder:"TOKEN" help:"The bearer token whose campaigns to print."`
	Count uint64 `type:"count" default:"10" placeholder:"N" help:"How many campaigns (default ${default})."`
	Seed  uint64 `type:"seed" placeholder:"N" help:"Seed of the campaigns (default 0)."`
}

// Run prints a fixture with the campaigns that a server with the same seed generates for the token.
func (c *generateCommand) Run(call *call) error {
	service := fixtures.Service{Seed: c.Seed}
	generated := fixtures.User{Generate: &fixtures.Generate{Count: int(c.Count)}}
	campaigns := slices.Collect(service.Campaigns(c.Token, generated))
	set := fixtures.Set{Users: map[string]fixtures.User{
		c.Token: {Campaigns: campaigns},
	}}
	return set.WriteYAML(call.process.stdout)
}

type schemaCommand struct{}

func (schemaCommand) Run(call *call) error {
	_, err := call.process.stdout.Write(fixtures.Schema())
	return err
}
