package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/campaignfake/fixtures"
)

// load reads the fixtures and, if needed, the gallery. Flags override the service
// settings of the fixtures, and both override the defaults. A flag that is a setting has
// to be laid over the set here; call.places says that it was given.
func (c *serveCommand) load(call *call) (*fixtures.Set, error) {
	set, err := c.loadNamed()
	if err != nil {
		return nil, err
	}
	if len(c.Fixtures) == 0 && c.Text == "" || c.Gallery {
		gallery, err := fixtures.LoadFS(fixtures.Gallery())
		if err != nil {
			return nil, err
		}
		set = gallery.Overlay(set)
	}
	// The default of the command is in no file, and has no place there.
	set.Service = fixtures.Service{UnknownTokens: "generate"}.Overlay(set.Service)
	set.Service = set.Service.Overlay(fixtures.Service{
		BasePath: c.BasePath, CORS: c.CORS, UnknownTokens: c.UnknownTokens, Delay: c.Delay,
	})
	if c.Seed != nil {
		set.Service.Seed = *c.Seed
	}
	maps.Copy(set.Places, call.places)
	return set, nil
}

// loadNamed reads the files and folders that were named. Their digest is taken first: if
// they change meanwhile, they have another one afterwards, and watch reads them again.
func (c *serveCommand) loadNamed() (*fixtures.Set, error) {
	c.digest = fixtures.Digest(c.Fixtures...)
	set, err := loadFixtures(c.Fixtures)
	if err != nil || c.Text == "" {
		return set, err
	}
	text, err := fixtures.LoadText(fixturesVariable, c.Text)
	if err != nil {
		return nil, err
	}
	return text.Overlay(set), nil
}

// loadFixtures loads the files and folders that were named.
func loadFixtures(names []string) (*fixtures.Set, error) {
	if slices.Contains(names, "") { // an unset variable in quotes
		return nil, usageError{errors.New(`the name "" of a file or folder is empty; name one, or leave it out`)}
	}
	return fixtures.Load(names...)
}

// explainMistakes adds a first line to mistakes in fixtures.
func explainMistakes(err error) error {
	if errors.As(err, new(*fixtures.Mistakes)) {
		return fmt.Errorf("the fixtures cannot be used:\n%w", err)
	}
	return err
}

// fixturesVariable is the variable of --fixtures.
const fixturesVariable = variablePrefix + "_FIXTURES"

// source describes where the users come from.
func (c *serveCommand) source() string {
	names := c.Fixtures
	if c.Text != "" {
		names = append(slices.Clone(names), fixturesVariable)
	}
	switch {
	case len(names) == 0:
		return "the built-in gallery"
	case c.Gallery:
		return strings.Join(names, ", ") + " beside the built-in gallery"
	}
	return strings.Join(names, ", ")
}
