package main

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	"example.com/campaignfake/fixtures"
)

// The values of flags that can be wrong. Each is checked where it is parsed, so
// that the message names the flag or the variable; what fixtures can say as
// well is held to the rules of fixtures.

// checkService returns the first thing that is wrong with a setting.
func checkService(value string, service fixtures.Service) error {
	set := fixtures.Set{Service: service}
	var mistakes *fixtures.Mistakes
	if errors.As(set.Check(), &mistakes) {
		m := mistakes.List[0]
		return fmt.Errorf("%s; %s", m.Problem, m.Instead)
	}
	return nil
}

type basePath string

func (b *basePath) UnmarshalText(text []byte) error {
	*b = basePath(text)
	return checkService(string(text), fixtures.Service{BasePath: string(text)})
}

type unknownTokens string

func (u *unknownTokens) UnmarshalText(text []byte) error {
	*u = unknownTokens(text)
	return checkService(string(text), fixtures.Service{UnknownTokens: string(text)})
}

// origins are any, off, or origins with commas between them.
type origins []string

func (o *origins) UnmarshalText(text []byte) error {
	*o = nil
	for origin := range strings.SplitSeq(string(text), ",") {
		*o = append(*o, strings.TrimSpace(origin))
	}
	return checkService(string(text), fixtures.Service{CORS: *o})
}

// seed is a pointer's worth of a number: not given is not the same as 0.
type seed struct {
	value uint64
	given bool
}

func (s *seed) UnmarshalText(text []byte) error {
	value, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not a seed; write a whole number from 0 to 18446744073709551615", text)
	}
	*s = seed{value, true}
	return nil
}

// number is a count that is not negative.
type number int

func (n *number) UnmarshalText(text []byte) error {
	const most = fixtures.MaxCount
	value, err := strconv.ParseUint(string(text), 10, 32)
	if err != nil || value > most {
		return fmt.Errorf("%q is not a number that fits; write a whole number from 0 to %d", text, most)
	}
	*n = number(value)
	return nil
}

// address is a host and a port to listen on.
type address string

func (a *address) UnmarshalText(text []byte) error {
	host, port, err := net.SplitHostPort(string(text))
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil || strings.ContainsAny(host, "/ ") {
		return fmt.Errorf("%q is not an address; write host:port, as 127.0.0.1:8642, or 127.0.0.1:0 for any free port", text)
	}
	*a = address(text)
	return nil
}

// url returns where a client on this machine reaches a server that listens on a.
func (a address) url() string {
	host, port, _ := net.SplitHostPort(string(a))
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}
