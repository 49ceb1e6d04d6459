package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"example.com/campaignfake/fake"
)

// grace is how long answers in flight may take once a signal ends the server.
const grace = 5 * time.Second

// listen serves until ctx is done.
func (c *serveCommand) listen(ctx context.Context, p *process, server *fake.Server, log *slog.Logger) error {
	on := c.address()
	listener, err := net.Listen("tcp", string(on))
	if err != nil {
		return fmt.Errorf("cannot listen on %s, perhaps as another campaignfake does (%w); "+
			"choose another port with --port, 0 for any free one, or another address with --listen", on, errors.Unwrap(err))
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()

	root := address(listener.Addr().String()).url(c.scheme())
	b := &banner{set: c.first, root: root, service: server.Service(), source: c.source(), trust: c.curlTrust(), controlled: c.Control}
	if c.ReadyFile != "" {
		if err := writeReady(c.ReadyFile, root, strings.TrimSuffix(b.service.BasePath, "/")); err != nil {
			return err
		}
		defer os.Remove(c.ReadyFile)
	}
	if os.Getpid() == 1 && listener.Addr().(*net.TCPAddr).IP.IsLoopback() {
		log.Warn("the server cannot be reached from outside of this container; leave --listen out, or give only the port, as :8642")
	}
	// Printing may block, if a terminal is stopped or a pipe is full. Signals must work
	// meanwhile.
	go b.print(p.stdout)
	if c.Open && c.Control {
		go openPage(log, root+"/_fake/")
	}

	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		until, cancel := context.WithTimeout(context.Background(), grace)
		defer cancel()
		server.Shutdown(until)
		return nil
	}
}

// openPage opens a URL in the browser. An error is only a warning: the server runs.
func openPage(logger *slog.Logger, url string) {
	openers := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}
	opener := append(openers[runtime.GOOS], url)
	if len(opener) == 1 {
		opener = []string{"xdg-open", url}
	}
	if err := exec.Command(opener[0], opener[1:]...).Run(); err != nil {
		logger.Warn("the page could not be opened; open it in a browser", slog.String("page", url), slog.String("error", err.Error()))
	}
}
