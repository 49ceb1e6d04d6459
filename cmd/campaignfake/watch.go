package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// watch reloads the fixtures when they have changed, and then have not changed for one
// interval: somebody may write several files, or one file in parts. It compares their
// content, since the file system does not notify of changes in the mounts of a container.
// It returns when ctx is done.
func (c *serveCommand) watch(ctx context.Context, interval time.Duration, server *fake.Server, logger *slog.Logger) {
	if c.Watch == "off" || len(c.Fixtures) == 0 {
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
				logger.Warn("a file of fixtures was replaced outside of this container, which still has the old one; mount its folder instead of the file",
					slog.String("file", name))
			}
		}
	}
}

// reloadOnHangup reloads the fixtures and the certificate at each SIGHUP, until ctx is
// done. It is for a server without a terminal; in a terminal the signal ends the server.
func reloadOnHangup(ctx context.Context, server *fake.Server) {
	if slices.Contains(endings(), os.Signal(syscall.SIGHUP)) {
		return
	}
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	context.AfterFunc(ctx, func() {
		signal.Stop(hangups)
		close(hangups)
	})
	go func() {
		for range hangups {
			server.Reload()
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
