package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"example.com/campaignfake/fixtures"
)

type checkCommand struct {
	Fixtures []string `arg:"" help:"Files and folders of fixtures."`

	Format choice `env:"-" default:"text" placeholder:"text|json|github" help:"Format of the report (default ${default})."`
	Strict bool   `env:"-" help:"Report also what is allowed, but hardly meant: ids given twice, statuses that service.statuses lacks, dates that are none, an updated_at before its created_at."`
}

func (c *checkCommand) Run() error {
	load := fixtures.Load
	if c.Strict {
		load = fixtures.LoadStrict
	}
	set, err := loadFixtures(load, c.Fixtures)
	if mistakes := (*fixtures.Mistakes)(nil); errors.As(err, &mistakes) && c.Format != "text" {
		c.report(0, mistakes)
		return exitStatus(1)
	}
	if err != nil {
		return explainMistakes(err)
	}
	if c.Format == "json" {
		c.report(len(set.Users), &fixtures.Mistakes{})
		return nil
	}
	users := "users"
	if len(set.Users) == 1 {
		users = "user"
	}
	fmt.Printf("%d %s, no mistakes\n", len(set.Users), users)
	return nil
}

// report prints mistakes for programs.
func (c *checkCommand) report(users int, mistakes *fixtures.Mistakes) {
	if c.Format == "json" {
		encoder := json.NewEncoder(escaping{os.Stdout})
		encoder.SetEscapeHTML(false)
		encoder.Encode(map[string]any{"users": users, "mistakes": append([]fixtures.Mistake{}, mistakes.List...), "more": mistakes.More})
		return
	}
	for _, m := range mistakes.List {
		place := fmt.Sprintf("file=%s,line=%d,col=%d", strings.NewReplacer(",", "%2C", ":", "%3A").Replace(annotation.Replace(m.File)), max(m.Line, 1), max(m.Column, 1))
		m.File, m.Line, m.Column = "", 0, 0
		fmt.Printf("::error %s::%s\n", place, annotation.Replace(printable(m.String())))
	}
	if mistakes.More > 0 {
		fmt.Printf("::error::%d more mistakes are not listed\n", mistakes.More)
	}
}
