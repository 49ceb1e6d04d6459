package main

import (
	"fmt"
	"slices"

	"github.com/alecthomas/kong"
)

// asFlag returns the arguments with a flag in place of the commands help and version:
// like the flags, they work if a variable is wrong.
func asFlag(args []string, model *kong.Application) []string {
	switch {
	case slices.Equal(args, []string{"version"}):
		return []string{"--version"}
	case slices.Equal(args, []string{"help"}):
		return []string{"--help"}
	case len(args) == 2 && args[0] == "help" && commandNamed(args[1], model) != nil:
		return []string{args[1], "--help"}
	}
	return args
}

type helpCommand struct {
	Command string `arg:"" optional:"" help:"The command to describe. Without one, all commands are listed."`
}

// Run is called for a word that is no command.
func (c *helpCommand) Run(call *kong.Context) error {
	return usageError{fmt.Errorf("%q is not a command; %s", c.Command, nearestCommand(c.Command, call.Model))}
}

type versionCommand struct{}

func (versionCommand) Run() error {
	fmt.Println(version())
	return nil
}
