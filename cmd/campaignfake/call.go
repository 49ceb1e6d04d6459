package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// A call is a command line whose command is called. It is done when its context is.
type call struct {
	context.Context
	*process
	*line
	places map[string]string // where each setting was given, by its name in fixtures
}

func newCall(ctx context.Context, p *process, l *line) *call {
	return &call{Context: ctx, process: p, line: l, places: make(map[string]string)}
}

// prepare sets the flags and arguments of the command, and returns the first mistake in the
// variables and the line.
func (c *call) prepare() error {
	if len(c.command.flags()) > 0 { // otherwise it does not use variables
		if err := c.checkVariables(c.commands); err != nil {
			return err
		}
	}
	if err := c.check(); err != nil {
		return err
	}
	c.adopt()
	for _, p := range c.command.parameters() {
		if err := c.set(p, c.values[p.name]); err != nil {
			return err
		}
	}
	return nil
}

// set sets a parameter to its default, then from its variable, then from the command
// line. A wrong variable is an error even if the command line overrides it.
func (c *call) set(p *parameter, texts []string) error {
	if p.byDefault != "" {
		p.set([]string{p.byDefault})
	}
	var variable []string
	if value := c.getenv(p.variable); value != "" {
		variable = []string{value}
	}
	if len(variable)+len(texts) == 0 && p.missing != "" {
		return errors.New(p.missing)
	}
	for _, source := range []struct {
		place string
		texts []string
	}{{p.variable, variable}, {p.written(), texts}} {
		if err := p.set(source.texts); err != nil {
			return fmt.Errorf("%s: %w", source.place, err)
		}
		if len(source.texts) > 0 {
			c.places[strings.ReplaceAll(p.name, "-", "_")] = source.place
		}
	}
	return nil
}
