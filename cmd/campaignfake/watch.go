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

// watchInterval is how often the content of fixtures is compared. Notifications of
// changes do not cross the mounts of a container.
const watchInterval = 250 * time.Millisecond

// watch reloads the fixtures once they have changed, and did not change again in
// the meantime: somebody may write several files, or one in several pieces. It
// ends with ctx.
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
			server.Reload() // which logs what is wrong
		}
		before = now
		for _, name := range c.Fixtures {
			if !replaced[name] && isReplaced(name) {
				replaced[name] = true
				logger.Warn("a file of fixtures was replaced outside of this container, which still sees the old one; mount its folder in place of the file",
					slog.String("file", name))
			}
		}
	}
}

// reloadOnHangup reloads the fixtures at each SIGHUP. It is for a server without a
// terminal; in a terminal the signal ends the server. It ends with ctx.
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
