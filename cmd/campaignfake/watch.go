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

// watchPace is how often fixtures are looked at. Their content is what counts:
// nobody tells of changes across the mounts of a container.
const watchPace = 250 * time.Millisecond

// watch has the server read its fixtures again once they have changed and not
// gone on changing: whoever writes several files, or one in several pieces, is
// not interrupted. It ends with ctx.
func (c *serveCommand) watch(ctx context.Context, server *fake.Server, logger *slog.Logger) {
	if c.Watch == "off" || len(c.Fixtures) == 0 {
		return
	}
	ticker := time.NewTicker(watchPace)
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
			server.Reload() // which tells the log of what is wrong
		}
		before = now
		for _, name := range c.Fixtures {
			if !replaced[name] && isReplaced(name) {
				replaced[name] = true
				logger.Warn("a file of fixtures was replaced outside of this container, which goes on seeing the old one; mount its folder in place of the file",
					slog.String("file", name))
			}
		}
	}
}

// reloadOnHangup has the server read its fixtures again at each SIGHUP. It is for
// servers that the signal does not end, as it does where there is a terminal. It
// ends with ctx.
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
