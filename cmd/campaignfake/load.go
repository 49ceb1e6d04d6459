package main

import (
	"context"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// loaded is what the server has read last.
type loaded struct {
	digest string // of the files
	set    *fixtures.Set
}

// load reads the fixtures and, if needed, the gallery. Files override the text of a flag,
// and that overrides the gallery. Flags override the service settings of all these, and
// these override the defaults.
func (c *serveCommand) load(places map[string]string) (*fixtures.Set, error) {
	// The digest is taken first: if the files change meanwhile, they have another one
	// afterwards, and watch reads them again.
	c.digest = fixtures.Digest(c.Fixtures...)

	set, err := fixtures.Load(c.Fixtures...)
	if err != nil {
		return nil, err
	}
	if c.Text != "" {
		given, err := fixtures.LoadText(fixturesVariable, c.Text)
		if err != nil {
			return nil, err
		}
		set = given.Overlay(set)
	}
	if c.Gallery {
		gallery, err := fixtures.LoadFS(fixtures.Gallery())
		if err != nil {
			return nil, err
		}
		set = gallery.Overlay(set)
	}

	// The default of the command is in no file, and has no place there.
	assumed := fixtures.Service{UnknownTokens: fixtures.UnknownTokensGenerate}
	set.Service = assumed.Overlay(set.Service)
	set = set.Overlay(&fixtures.Set{
		Service: fixtures.Service{
			BasePath:      c.BasePath,
			CORS:          c.CORS,
			UnknownTokens: c.UnknownTokens,
			Delay:         c.Delay,
		},
		Places: places,
	})
	if c.Seed != nil { // 0 overrides others
		set.Service.Seed = *c.Seed
	}
	c.set = set
	return set, nil
}

// watch reloads the fixtures when they have changed, and then have not changed for one
// interval: somebody may write several files, or one file in parts. It compares their
// content, since the file system does not notify of changes in the mounts of a container.
// It returns when ctx is done.
func (c *serveCommand) watch(ctx context.Context, interval time.Duration, server *fake.Server) {
	before := c.digest
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(interval):
		}
		now := fixtures.Digest(c.Fixtures...)
		isSettled := now == before
		if isSettled && now != c.digest {
			server.Reload() // which logs its error
		}
		before = now
	}
}
