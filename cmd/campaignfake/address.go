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
	return f.urlOf(host, port)
}

// urlOf returns the URL of a host and a port.
func (f *addressFlags) urlOf(host, port string) string {
	// Package url knows how to write the zone of an IPv6 address.
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

// serverRoots are the URLs of a server, without a path, for people.
type serverRoots struct {
	own         string
	network     []string // base URLs for other machines
	inContainer bool
}

// roots returns the URLs of a server that listens on an address of a machine with these interfaces.
// In a container, the server's own URL is the first URL of the network, since nobody outside
// reaches the loopback interface there.
func (f *addressFlags) roots(address string, interfaces []net.Addr, inContainer bool) serverRoots {
	roots := serverRoots{own: f.url(address)}
	host, port, _ := net.SplitHostPort(address)
	if !isEveryAddress(host) {
		return roots
	}
	for _, ip := range networkIPs(interfaces) {
		roots.network = append(roots.network, f.urlOf(ip.String(), port))
	}
	if inContainer && len(roots.network) > 0 {
		roots.own = roots.network[0]
		roots.network = roots.network[1:]
		roots.inContainer = true
	}
	return roots
}

// networkIPs returns the addresses by which other machines reach this one: its IPv4 addresses, or
// its IPv6 addresses if it has no IPv4 address.
func networkIPs(interfaces []net.Addr) []net.IP {
	var four, six []net.IP
	for _, address := range interfaces {
		network, isNetwork := address.(*net.IPNet)
		if !isNetwork || !network.IP.IsGlobalUnicast() {
			continue // such as the addresses of loopback
		}
		if network.IP.To4() != nil {
			four = append(four, network.IP)
		} else {
			six = append(six, network.IP)
		}
	}
	if len(four) > 0 {
		return four
	}
	return six
}
