package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
)

// listen serves until ctx is done, or until the listener fails. It writes the ready-file and the
// banner when the server already answers, so that their readers can send requests at once. The
// caller closes the server.
func (s *serving) listen(ctx context.Context) error {
	listener, err := net.Listen("tcp", s.address())
	if err != nil {
		return fmt.Errorf("the server cannot start: %w; %s", err, s.insteadOfAddress(err))
	}

	failed := make(chan error, 1)
	go func() { failed <- s.server.Serve(listener) }()

	address := listener.Addr().String()
	root := s.url(address)
	base := root + strings.TrimSuffix(s.server.Service().BasePath, "/")
	ready := s.readyFile(s.call)
	if err := ready.write(root, base); err != nil {
		return err
	}
	s.show(address)
	go s.watch(ctx, s.call.process.watchInterval)

	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	ready.remove(root, base) // while the port is still ours: the next server may write this file
	return err
}

// insteadOfAddress returns advice for the error of net.Listen: which port or address to write.
func (s *serving) insteadOfAddress(failure error) string {
	const anotherPort = "choose another with --port, 0 for any free one"
	place := s.call.placeOf("listen")
	switch {
	case errors.Is(failure, syscall.EADDRINUSE):
		return "something else listens there: " + anotherPort
	case errors.Is(failure, syscall.EACCES):
		return "this user may not have this port: choose one from 1024 on with --port"
	case errors.Is(failure, syscall.EADDRNOTAVAIL), errors.As(failure, new(*net.DNSError)):
		return fmt.Sprintf("this machine has no such address: write one with %s, as %s",
			place, listen)
	}
	return fmt.Sprintf("if the port is in use, %s; if the address is wrong, another with %s",
		anotherPort, place)
}

// readyFile returns the ready-file that the flags name.
func (c *serveCommand) readyFile(call *call) readyFile {
	return readyFile{name: c.ReadyFile, place: call.placeOf("ready-file")}
}

// show prints the banner of a server that listens on an address. It prints in a goroutine, since
// printing blocks while the terminal is stopped or the pipe is full. A signal must still end the
// server then.
func (s *serving) show(address string) {
	host, _, _ := net.SplitHostPort(address)
	service := s.server.Service()
	banner := banner{
		source:        s.source(),
		set:           s.set,
		root:          s.url(address),
		isEverywhere:  isEveryAddress(host),
		basePath:      service.BasePath,
		hasPage:       s.Control,
		unknownTokens: service.UnknownTokens,
		upstream:      s.Upstream,
	}
	go io.WriteString(s.call.process.stdout, banner.text(s.logFlags))
}
