package main

import (
	"fmt"

	"example.com/campaignfake/fixtures"
)

type checkCommand struct {
	Fixtures []string `arg:"" help:"Files and folders of fixtures."`

	Strict bool `env:"-" help:"Report also what is allowed, but hardly meant: ids given twice, statuses that service.statuses lacks, dates that are none, an updated_at before its created_at."`
}

func (c *checkCommand) Run() error {
	load := fixtures.Load
	if c.Strict {
		load = fixtures.LoadStrict
	}
	set, err := loadFixtures(load, c.Fixtures)
	if err != nil {
		return explainMistakes(err)
	}
	users := "users"
	if len(set.Users) == 1 {
		users = "user"
	}
	fmt.Printf("%d %s, no mistakes\n", len(set.Users), users)
	return nil
}
