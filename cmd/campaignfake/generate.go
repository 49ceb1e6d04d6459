package main

import (
	"fmt"

	"example.com/campaignfake/fixtures"
)

type generateCommand struct {
	Token  string `flag:"token" placeholder:"TOKEN" missing:"no token was named; name one, as --token alice" help:"The bearer token whose campaigns to print."`
	Count  number `flag:"count" default:"10" placeholder:"N" help:"How many campaigns (default ${default})."`
	Seed   seed   `flag:"seed" placeholder:"N" help:"Seed of the campaigns (default 0)."`
	Format choice `flag:"format" default:"yaml" placeholder:"yaml|json" help:"Format of the fixture (default ${default})."`
}

func (c *generateCommand) run(call *call) error {
	user := fixtures.User{Generate: &fixtures.Generate{Count: int(c.Count)}}
	service := fixtures.Service{Seed: uint64(c.Seed)}
	if err := service.CheckUser(c.Token, user); err != nil {
		return usageError{fmt.Errorf("--token: %w", err)}
	}
	if c.Format == "json" {
		return service.WriteJSON(call.stdout, c.Token, int(c.Count))
	}
	return service.WriteYAML(call.stdout, c.Token, int(c.Count))
}
