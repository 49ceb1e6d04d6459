package main

import "example.com/campaignfake/fixtures"

type schemaCommand struct{}

func (schemaCommand) run(call *call) error {
	_, err := call.stdout.Write(fixtures.Schema())
	return err
}
