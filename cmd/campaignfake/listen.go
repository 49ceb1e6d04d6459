package main

import (
	"context"
	"fmt"
	"io"
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

// listen serves until ctx is done, or the listener fails. It tells where the server is, and
// sees to fixtures that change, only when requests can arrive.
func (c *serveCommand) listen(ctx context.Context, call *call, server *fake.Server, logger *slog.Logger) error {
	listener, err := net.Listen("tcp", c.address())
	if err != nil {
		return fmt.Errorf("the server cannot start: %w; if the port is in use, "+
			"choose another with --port, 0 for any free one; if the address is wrong, another with --listen", err)
	}

	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()

	service := server.Service()
	root := c.url(listener.Addr().String())
	base := root + strings.TrimSuffix(service.BasePath, "/")
	if c.ReadyFile != "" {
		if err := writeReady(c.ReadyFile, root, base); err != nil {
			return err
		}
		defer os.Remove(c.ReadyFile)
	}

	// Printing may block, if a terminal is stopped or a pipe is full. Signals must work
	// meanwhile.
	banner := banner{
		source:        c.source(),
		set:           c.set,
		roots:         c.roots(listener.Addr().String(), interfaceAddresses(), isImage()),
		basePath:      service.BasePath,
		hasPage:       c.Control,
		unknownTokens: service.UnknownTokens,
	}
	go io.WriteString(call.stdout, banner.String())
	go c.watch(ctx, call.watchInterval, server)
	if c.Open && c.Control {
		go openPage(logger, root+"/_fake/")
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

// interfaceAddresses returns the addresses of this machine, as far as they can be known.
func interfaceAddresses() []net.Addr {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	return addresses
}

// isImage returns whether this is the program of the image, which listens on every address unless
// it is told otherwise.
func isImage() bool {
	host, _, _ := net.SplitHostPort(listen)
	return isEveryAddress(host)
}

// openPage opens a URL in the browser, by the program that each system has for that. An error
// is only a warning: the server runs.
func openPage(logger *slog.Logger, url string) {
	var opener *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		opener = exec.Command("open", url)
	case "windows":
		opener = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	default:
		opener = exec.Command("xdg-open", url)
	}
	if err := opener.Run(); err != nil {
		logger.Warn("the page could not be opened; open it in a browser",
			slog.String("page", url), slog.String("error", err.Error()))
	}
}
