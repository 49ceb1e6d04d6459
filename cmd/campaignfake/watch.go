package main

import (
	"context"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// watch reloads the fixtures when they have changed, and then have not changed for one
// interval: somebody may write several files, or one file in parts. It compares their
// content, since the file system does not notify of changes in the mounts of a container.
// It returns when ctx is done.
func (c *serveCommand) watch(ctx context.Context, interval time.Duration, server *fake.Server) {
	if len(c.Fixtures) == 0 {
		return
	}
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	before := c.digest
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now := fixtures.Digest(c.Fixtures...)
		if now == before && now != c.digest {
			server.Reload() // which logs its error
		}
		before = now
	}
}
