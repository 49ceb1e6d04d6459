package main

import (
	"errors"
	"fmt"

	"example.com/campaignfake/fake"
)

type resetCommand struct {
	Tokens []token `arg:"tokens" help:"The bearer tokens to put back to how the server started."`
	All    bool    `flag:"all" env:"off" help:"Put everything back to how the server started, and clear the journal."`
	running
}

func (c *resetCommand) run(call *call) error {
	if c.All == (len(c.Tokens) > 0) {
		return usageError{errors.New("reset needs tokens, or --all for everything; name one or the other")}
	}
	return c.control(func(client *fake.Client) error {
		if c.All {
			if err := client.ResetAll(); err != nil {
				return err
			}
			fmt.Fprintln(call.stdout, "everything is as it was when the server started")
		}
		for _, token := range c.Tokens {
			if err := client.Reset(string(token)); err != nil {
				return err
			}
			fmt.Fprintf(call.stdout, "%s is as it was when the server started\n", token)
		}
		return nil
	})
}
