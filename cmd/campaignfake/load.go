package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"example.com/campaignfake/fixtures"
)

// load reads the fixtures and, if needed, the gallery. Flags override the service
// settings of the fixtures, and both override the defaults. A flag that is a setting has to
// be laid over the set here; call.places says that it was given.
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
		BasePath: string(c.BasePath), CORS: c.CORS, UnknownTokens: string(c.UnknownTokens), Delay: c.Delay,
	})
	if c.Seed != nil {
		set.Service.Seed = uint64(*c.Seed)
	}
	maps.Copy(set.Places, call.places)
	return set, nil
}

// loadNamed reads the files and folders that were named. If they change meanwhile, they
// have another digest afterwards, and watch reads them again.
func (c *serveCommand) loadNamed() (*fixtures.Set, error) {
	if c.digest.Load() != nil {
		if err := refusePipes(c.Fixtures); err != nil {
			return nil, err
		}
	}
	digest := fixtures.Digest(c.Fixtures...)
	c.digest.Store(&digest)
	set, err := loadFixtures(fixtures.Load, c.Fixtures)
	if err != nil || c.Text == "" {
		return set, err
	}
	text, err := fixtures.LoadText(fixturesVariable, string(c.Text))
	if err != nil {
		return nil, err
	}
	return text.Overlay(set), nil
}

// fixturesVariable is the variable of --fixtures.
const fixturesVariable = variablePrefix + "_FIXTURES"

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

// pipePatience is how long the start waits for a pipe before it says so.
const pipePatience = time.Second

// warnOfPipes logs the pipes for which the start waits.
func (c *serveCommand) warnOfPipes(logger *slog.Logger) {
	for _, name := range c.Fixtures {
		if info, err := os.Stat(name); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
			logger.Warn("the start waits until somebody writes to the pipe and closes it", slog.String("fixtures", name))
		}
	}
}

// loadFixtures loads the files and folders that were named.
func loadFixtures(load func(paths ...string) (*fixtures.Set, error), paths []string) (*fixtures.Set, error) {
	if slices.Contains(paths, "") { // an unset variable in quotes
		return nil, usageError{errors.New(`the name "" of a file or folder is empty; name one, or leave it out`)}
	}
	return load(paths...)
}

// cannotUse is the message if there are mistakes in fixtures.
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
	beside := ""
	if c.Gallery {
		beside = " beside the built-in gallery"
	}
	switch {
	case len(c.Fixtures) == 0 && c.Text == "":
		return "the built-in gallery"
	case c.Text != "":
		return strings.Join(append(slices.Clone(c.Fixtures), fixturesVariable), ", ") + beside
	}
	return strings.Join(c.Fixtures, ", ") + beside
}
