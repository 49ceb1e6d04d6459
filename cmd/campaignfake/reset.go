package main

import (
	"context"
	"errors"
	"fmt"

	"example.com/campaignfake/fake"
)

type resetCommand struct {
	Tokens []token `arg:"" optional:"" help:"The bearer tokens to put back to how the server started."`
	All    bool    `env:"-" help:"Put everything back to how the server started, and clear the journal."`
	Server running `embed:""`
}

func (c *resetCommand) Run() error {
	if c.All == (len(c.Tokens) > 0) {
		return usageError{errors.New("reset needs tokens, or --all for everything; name one or the other")}
	}
	return c.Server.control(func(ctx context.Context, client *fake.Client) error {
		if c.All {
			if err := client.Reset(ctx); err != nil {
				return err
			}
			fmt.Println("everything is as it was when the server started")
		}
		for _, token := range c.Tokens {
			if err := client.ResetTokens(ctx, string(token)); err != nil {
				return err
			}
			fmt.Printf("%s is as it was when the server started\n", token)
		}
		return nil
	})
}
