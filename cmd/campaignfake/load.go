package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
	"github.com/alecthomas/kong"
)

// load reads the fixtures and, if needed, the gallery. Flags override the service
// settings of the fixtures, and both override the defaults. places has the flags that
// were given.
func (c *serveCommand) load(places map[string]string) (*fixtures.Set, error) {
	set, err := c.loadUnchanged()
	if err != nil {
		return nil, err
	}
	if len(c.Fixtures) == 0 || c.Gallery {
		gallery, err := fixtures.LoadFS(fixtures.Gallery())
		if err != nil {
			return nil, err
		}
		set = gallery.Overlay(set)
	}
	// The defaults of the command are weaker than what was observed, and have no place.
	set.Observed.Service = fixtures.Service{UnknownTokens: "generate"}.Overlay(set.Observed.Service)
	set.Service = set.Service.Overlay(fixtures.Service{
		BasePath: string(c.BasePath), CORS: c.CORS, UnknownTokens: string(c.UnknownTokens), Prefer: string(c.Prefer), Delay: c.Delay.value,
	})
	if c.Seed.given {
		set.Service.Seed = c.Seed.value
	}
	maps.Copy(set.Places, places)
	return set, nil
}

// loadUnchanged reads the fixtures, and reads them again if they have changed
// meanwhile: they may have been incomplete.
func (c *serveCommand) loadUnchanged() (set *fixtures.Set, err error) {
	if c.digest.Load() != nil {
		if err := refusePipes(c.Fixtures); err != nil {
			return nil, err
		}
	}
	const attempts = 20
	for range attempts {
		before := fixtures.Digest(c.Fixtures...)
		set, err = loadFixtures(func(paths ...string) (*fixtures.Set, error) {
			return fixtures.LoadWithin(fake.LimitsOf(usableMemory()).Fixtures, paths...)
		}, c.Fixtures)
		after := fixtures.Digest(c.Fixtures...)
		c.digest.Store(&after)
		if after == before {
			break
		}
	}
	return set, err
}

// refusePipes returns mistakes for fixtures that could be read only once, at the start:
// reading them again would wait for whoever writes them.
func refusePipes(names []string) error {
	var mistakes fixtures.Mistakes
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			mistakes.List = append(mistakes.List, fixtures.Mistake{
				File: name, Problem: "is a pipe or a device, which is read only at the start", Instead: "start the server again, or use a file",
			})
		}
	}
	if mistakes.List == nil {
		return nil
	}
	return &mistakes
}

// loadFixtures loads the files and folders that were named.
func loadFixtures(load func(paths ...string) (*fixtures.Set, error), paths []string) (*fixtures.Set, error) {
	if slices.Contains(paths, "") { // an unset variable in quotes
		return nil, usageError{errors.New(`the name "" of a file or folder is empty; name one, or leave it out`)}
	}
	return load(paths...)
}

// cannotUse is what is wrong if there are mistakes in fixtures.
const cannotUse = "the fixtures cannot be used"

// explainMistakes adds a first line to mistakes in fixtures.
func explainMistakes(err error) error {
	if errors.As(err, new(*fixtures.Mistakes)) {
		return fmt.Errorf(cannotUse+":\n%w", err)
	}
	return err
}

// source describes where the users come from.
func (c *serveCommand) source() string {
	switch {
	case len(c.Fixtures) == 0:
		return "the built-in gallery"
	case c.Gallery:
		return strings.Join(c.Fixtures, ", ") + " beside the built-in gallery"
	}
	return strings.Join(c.Fixtures, ", ")
}

// placesOf returns the flags and variables that were given, by the name that the
// setting has in fixtures.
func placesOf(call *kong.Context) map[string]string {
	places := make(map[string]string)
	setting := func(flag *kong.Flag) string { return strings.ReplaceAll(flag.Name, "-", "_") }
	for _, flag := range call.Flags() {
		for _, variable := range flag.Envs {
			if os.Getenv(variable) != "" {
				places[setting(flag)] = variable
			}
		}
	}
	for _, part := range call.Path {
		if part.Flag != nil {
			places[setting(part.Flag)] = "--" + part.Flag.Name
		}
	}
	return places
}
