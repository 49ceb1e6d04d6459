package main

import (
	"net"
	"net/url"
	"strconv"
)

// addressFlags say where a server listens. The commands serve and health share these flags, so that
// in a container health finds the server by the same environment variables.
type addressFlags struct {
	Listen   string  `type:"address" default:"${listen}" placeholder:"HOST:PORT" help:"Where the server listens (default ${default})."`
	Port     *uint64 `type:"port" env:"-" placeholder:"N" help:"Its port, 0 for any free one; the host is that of --listen."`
	tlsFlags `group:"HTTPS:"`
}

// address returns HOST:PORT: the value of --listen, with the port of --port if that flag is given.
func (f *addressFlags) address() string {
	if f.Port == nil {
		return f.Listen
	}
	host, _, _ := net.SplitHostPort(f.Listen) // cannot fail: checkAddress has checked it
	port := strconv.FormatUint(*f.Port, 10)
	return net.JoinHostPort(host, port)
}

// url returns the URL by which a client on this machine reaches a server that listens on an
// address: http://127.0.0.1:8642 for :8642.
func (f *addressFlags) url(address string) string {
	host, port, _ := net.SplitHostPort(address)
	if isEveryAddress(host) {
		host = "127.0.0.1"
	}
	// url.URL escapes the zone of an IPv6 address: http://[fe80::1%25eth0]:8642.
	root := url.URL{
		Scheme: f.scheme(),
		Host:   net.JoinHostPort(host, port),
	}
	return root.String()
}

// isEveryAddress returns whether a host stands for all addresses of the machine: "", 0.0.0.0 or ::.
func isEveryAddress(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}
