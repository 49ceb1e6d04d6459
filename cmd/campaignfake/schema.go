package main

import (
	"os"

	"example.com/campaignfake/fixtures"
)

type schemaCommand struct{}

func (schemaCommand) Run() error {
	_, err := os.Stdout.Write(fixtures.Schema())
	return err
}
