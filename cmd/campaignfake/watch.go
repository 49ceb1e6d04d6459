package main

import (
	"context"
	"log/slog"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// watch reloads the fixtures when they have changed, and then have not changed for one
// interval: somebody may write several files, or one file in parts. It compares their
// content, since the file system does not notify of changes in the mounts of a container.
// It returns when ctx is done.
func (c *serveCommand) watch(ctx context.Context, interval time.Duration, server *fake.Server, logger *slog.Logger) {
	if len(c.Fixtures) == 0 {
		return
	}
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	before := *c.digest.Load()
	replaced := make(map[string]bool)
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now := fixtures.Digest(c.Fixtures...)
		if now == before && now != *c.digest.Load() {
			server.Reload() // which logs its error
		}
		before = now
		for _, name := range c.Fixtures {
			if !replaced[name] && isReplaced(name) {
				replaced[name] = true
				logger.Warn("a file of fixtures was replaced outside of this container, which still has the old one; "+
					"mount its folder instead of the file", slog.String("file", name))
			}
		}
	}
}
