package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// watchInterval is how often the content of fixtures is compared. The file system
// cannot notify of changes, since notifications do not reach mounts in a container.
const watchInterval = 250 * time.Millisecond

// watch reloads the fixtures when they have changed, and then have not changed for one
// interval: somebody may write several files, or one file in parts. It returns when ctx
// is done.
func (c *serveCommand) watch(ctx context.Context, server *fake.Server, logger *slog.Logger) {
	if c.Watch == "off" || len(c.Fixtures) == 0 {
		return
	}
	ticker := time.NewTicker(watchInterval)
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
				logger.Warn("a file of fixtures was replaced outside of this container, which still has the old one; mount its folder instead of the file",
					slog.String("file", name))
			}
		}
	}
}

// reloadOnHangup reloads the fixtures and the certificate at each SIGHUP, until ctx is
// done. It is for a server without a terminal; in a terminal the signal ends the server.
func reloadOnHangup(ctx context.Context, server *fake.Server) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	go func() {
		defer signal.Stop(hangups)
		for {
			select {
			case <-ctx.Done():
				return
			case <-hangups:
				server.Reload()
			}
		}
	}()
}

// hasTerminal reports whether the process belongs to a terminal.
func hasTerminal() bool {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	terminal.Close()
	return true
}
