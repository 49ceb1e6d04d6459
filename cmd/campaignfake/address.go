package main

import (
	"net"
	"net/url"
	"strconv"
)

// addressFlags say where a server is. serve and health have the same ones, so that health
// finds the server with the same variables.
type addressFlags struct {
	Listen   string  `type:"address" default:"${listen}" placeholder:"HOST:PORT" help:"Where the server listens (default ${default})."`
	Port     *uint64 `type:"port" env:"-" placeholder:"N" help:"Its port, 0 for any free one; the host is that of --listen."`
	tlsFlags `group:"HTTPS:"`
}

// address returns the host and the port that the flags name.
func (f *addressFlags) address() string {
	if f.Port == nil {
		return f.Listen
	}
	host, _, _ := net.SplitHostPort(f.Listen) // the reader of the flag has checked it
	port := strconv.FormatUint(*f.Port, 10)
	return net.JoinHostPort(host, port)
}

// url returns the URL by which a client on this machine reaches a server that listens on
// an address.
func (f *addressFlags) url(address string) string {
	host, port, _ := net.SplitHostPort(address)
	if isEveryAddress(host) {
		host = "127.0.0.1"
	}
	// net/url writes the zone of an IPv6 address correctly.
	root := url.URL{
		Scheme: f.scheme(),
		Host:   net.JoinHostPort(host, port),
	}
	return root.String()
}

// isEveryAddress returns whether a server with this host listens on all addresses of the machine.
func isEveryAddress(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}
