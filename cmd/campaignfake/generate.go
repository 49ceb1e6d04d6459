package main

import (
	"fmt"
	"os"

	"example.com/campaignfake/fixtures"
)

type generateCommand struct {
	Token  string `required:"" help:"The bearer token whose campaigns to print." placeholder:"TOKEN"`
	Count  number `default:"10" placeholder:"N" help:"How many campaigns (default ${default})."`
	Seed   seed   `placeholder:"N" help:"Seed of the campaigns (default 0)."`
	Format choice `default:"yaml" placeholder:"yaml|json" help:"Format of the fixture (default ${default})."`
}

func (c *generateCommand) Run() error {
	user := fixtures.User{Generate: &fixtures.Generate{Count: int(c.Count)}}
	service := fixtures.Service{Seed: c.Seed.value}
	if err := service.CheckUser(c.Token, user); err != nil {
		return usageError{fmt.Errorf("--token: %w", err)}
	}
	if c.Format == "json" {
		return service.WriteJSON(os.Stdout, c.Token, int(c.Count))
	}
	return service.WriteYAML(os.Stdout, c.Token, int(c.Count))
}
