package main

import (
	"context"
	"fmt"
	"net/url"
)

type resetCommand struct {
	Tokens []token `arg:"" optional:"" help:"The bearer tokens to put back to how the server started. Without any, everything is, and the journal is cleared."`
	Server running `embed:""`
}

func (c *resetCommand) Run() error {
	ctx := context.Background()
	plane, err := c.Server.controlPlane(ctx)
	if err != nil {
		return err
	}
	if len(c.Tokens) == 0 {
		if err := plane.call(ctx, "POST", "reset", nil, nil, nil); err != nil {
			return err
		}
		fmt.Println("everything is as it was when the server started")
	}
	for _, token := range c.Tokens {
		if err := plane.call(ctx, "POST", "reset", url.Values{"token": {string(token)}}, nil, nil); err != nil {
			return err
		}
		fmt.Printf("%s is as it was when the server started\n", token)
	}
	return nil
}
