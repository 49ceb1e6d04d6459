package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"example.com/campaignfake/fixtures"
)

type checkCommand struct {
	Fixtures []string `arg:"" optional:"" sep:"none" help:"Files and folders of fixtures."`
	Format   string   `type:"text|json|github" env:"-" default:"text" placeholder:"FORMAT" help:"text, json or github (default ${default})."`
}

func (c *checkCommand) Run(call *call) error {
	if len(c.Fixtures) == 0 {
		return usageError{errors.New("no fixtures were named; name files and folders of them")}
	}
	set, err := loadFixtures(c.Fixtures)
	if err == nil {
		err = set.Check() // now that it is complete
	}
	if mistakes := (*fixtures.Mistakes)(nil); errors.As(err, &mistakes) && c.Format != "text" {
		c.report(call.stdout, 0, mistakes)
		return exitStatus(1)
	}
	switch {
	case err != nil:
		return explainMistakes(err)
	case c.Format == "json":
		c.report(call.stdout, len(set.Users), &fixtures.Mistakes{})
	case len(set.Users) == 1:
		fmt.Fprintln(call.stdout, "1 user, no mistakes")
	default:
		fmt.Fprintf(call.stdout, "%d users, no mistakes\n", len(set.Users))
	}
	return nil
}

// report prints mistakes for programs.
func (c *checkCommand) report(w io.Writer, users int, mistakes *fixtures.Mistakes) {
	if c.Format == "json" {
		writeJSON(w, map[string]any{"users": users, "mistakes": append([]fixtures.Mistake{}, mistakes.List...), "more": mistakes.More})
		return
	}
	for _, m := range mistakes.List {
		file := strings.NewReplacer(",", "%2C", ":", "%3A").Replace(annotation.Replace(m.File))
		place := fmt.Sprintf("file=%s,line=%d,col=%d", file, max(m.Line, 1), max(m.Column, 1))
		m.File, m.Line, m.Column = "", 0, 0
		fmt.Fprintf(w, "::error %s::%s\n", place, annotation.Replace(printable(m.String())))
	}
	if mistakes.More > 0 {
		fmt.Fprintf(w, "::error::%d more mistakes are not listed\n", mistakes.More)
	}
}

// annotation escapes what would end a command of a workflow.
var annotation = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

type generateCommand struct {
	Token  string `type:"token" placeholder:"TOKEN" help:"The bearer token whose campaigns to print."`
	Count  uint64 `type:"count" default:"10" placeholder:"N" help:"How many campaigns (default ${default})."`
	Seed   uint64 `type:"seed" placeholder:"N" help:"Seed of the campaigns (default 0)."`
	Format string `type:"yaml|json" default:"yaml" placeholder:"FORMAT" help:"yaml or json (default ${default})."`
}

func (c *generateCommand) Run(call *call) error {
	if c.Token == "" {
		return usageError{errors.New("no token was named; name one, as --token alice")}
	}
	service := fixtures.Service{Seed: c.Seed}
	if c.Format == "json" {
		return service.WriteJSON(call.stdout, c.Token, int(c.Count))
	}
	return service.WriteYAML(call.stdout, c.Token, int(c.Count))
}

type schemaCommand struct{}

func (schemaCommand) Run(call *call) error {
	_, err := call.stdout.Write(fixtures.Schema())
	return err
}
