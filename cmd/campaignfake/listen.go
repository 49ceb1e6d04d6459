package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// listen serves until ctx is done. The banner describes set.
func (c *serveCommand) listen(ctx context.Context, p *process, server *fake.Server, set *fixtures.Set, logger *slog.Logger) error {
	listener, root, err := c.listenOn(ctx, c.Listen, "--listen")
	if err != nil {
		return err
	}
	controlRoot := root
	failed := make(chan error, 2)
	if own := c.Control.own(); own != "" {
		var controlListener net.Listener
		if controlListener, controlRoot, err = c.listenOn(ctx, own, "--control"); err != nil {
			return err
		}
		go func() { failed <- server.ServeControl(controlListener) }()
	}
	go func() { failed <- server.Serve(listener) }()

	service := server.Service()
	page := controlRoot
	if c.Control == "off" {
		page = ""
	}
	if c.ReadyFile != "" {
		remove, err := c.ReadyFile.write(root, strings.TrimSuffix(service.BasePath, "/"), controlRoot)
		if err != nil {
			return err
		}
		defer remove()
	}
	shown := root
	if own := ownAddress(listener); own != "" {
		shown = c.shownAddress(address(own), server.Certificate()).url(c.scheme())
		if page == root {
			page = shown
		}
	}
	// Printing may block, if a terminal is stopped or a pipe is full. Signals must work
	// meanwhile.
	b := &banner{set: set, root: shown, control: page, service: service, memory: p.memory, source: c.source(), trust: c.curlTrust()}
	if c.LogFormat == "json" {
		go b.printJSON(p.stdout)
	} else {
		go b.print(p.stdout)
	}
	if c.Open {
		go openPage(logger, controlRoot+"/_fake/")
	}
	warnOfLoopback(logger, listener, c.Listen)

	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		grace, cancel := context.WithTimeout(context.Background(), time.Duration(c.Grace))
		defer cancel()
		server.Shutdown(grace)
		return nil
	}
}

// listenOn listens on the address of a flag, and returns its URL without a path.
func (c *serveCommand) listenOn(ctx context.Context, on address, flag string) (net.Listener, string, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", string(on))
	if err != nil {
		return nil, "", cannotListen(err, on, flag)
	}
	return listener, address(listener.Addr().String()).url(c.scheme()), nil
}

// cannotListen returns an error that says why an address cannot be used, and what to
// do.
func cannotListen(err error, on address, flag string) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		if flag == "--listen" {
			return fmt.Errorf("%s is in use by another program, perhaps another campaignfake; choose another port with --port, or --port 0 for any free one", on)
		}
		return fmt.Errorf("%s is in use by another program; choose another port with %s, or %s for any free one", on, flag, on.withPort("0"))
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("this user is not allowed to listen on %s; choose a port of 1024 or more with %s", on, flag)
	}
	return fmt.Errorf("cannot listen on %s (%v); choose another address with %s", on, errors.Unwrap(err), flag)
}

// ownAddress returns the address at which others reach a server in a container that
// listens on all interfaces, "" elsewhere. The loopback address, which names the server on
// its own machine, is reached only inside the container.
func ownAddress(listener net.Listener) string {
	tcp, ok := listener.Addr().(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() || os.Getpid() != 1 {
		return ""
	}
	addresses, _ := net.InterfaceAddrs()
	for _, a := range addresses {
		if own, ok := a.(*net.IPNet); ok && own.IP.To4() != nil && own.IP.IsGlobalUnicast() {
			return net.JoinHostPort(own.IP.String(), strconv.Itoa(tcp.Port))
		}
	}
	return ""
}

// warnOfLoopback warns if a server in a container can be reached only from inside it.
func warnOfLoopback(logger *slog.Logger, listener net.Listener, on address) {
	if tcp, ok := listener.Addr().(*net.TCPAddr); ok && tcp.IP.IsLoopback() && os.Getpid() == 1 {
		logger.Warn("the server cannot be reached from outside of this container; leave --listen out, or give only the port, as "+string(on.onAllInterfaces()), slog.String("listen", string(on)))
	}
}
