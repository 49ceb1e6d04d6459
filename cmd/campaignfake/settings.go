package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/campaignfake/fixtures"
)

// The types of flags check their values when they are set, so that the message names the
// flag or the variable: by a method check, or by UnmarshalText if the value is not just a
// text. Package fixtures checks values that fixtures can have, too. A pointer is nil if the
// flag is not given.

// emptyValue is the error for a value that is empty, as an unset variable of the shell in
// quotes is.
func emptyValue() error {
	return errors.New(`"" is not a value; give one, or leave the flag out`)
}

// checkService returns the first mistake in a setting. It leaves out the name of the
// setting, because the message begins with the flag.
func checkService(service fixtures.Service) error {
	var mistakes *fixtures.Mistakes
	if errors.As(service.Check(), &mistakes) {
		return fmt.Errorf("%s; %s", mistakes.List[0].Problem, mistakes.List[0].Instead)
	}
	return nil
}

// token is a bearer token that clients can send.
type token string

func (t token) check() error {
	if err := fixtures.CheckToken(string(t)); err != nil {
		return fmt.Errorf("%q %w", t, err)
	}
	return nil
}

// fixturesText is fixtures in YAML.
type fixturesText string

func (t fixturesText) check() error {
	if t == "" {
		return emptyValue()
	}
	if _, err := os.Stat(string(t)); err == nil || pathLike.MatchString(string(t)) {
		return fmt.Errorf("%q is a path, and not YAML; write fixtures here, or paths behind the command, as campaignfake serve %[1]q", t)
	}
	return nil
}

// pathLike matches a line that is no YAML of fixtures, and probably a path.
var pathLike = regexp.MustCompile(`^(\.?/.*|.*\.(yaml|yml|json))$`)

type basePath string

func (b basePath) check() error { return checkService(fixtures.Service{BasePath: string(b)}) }

// choice is one of the words that the placeholder of the flag lists, as on|off.
type choice string

func (c *choice) choose(text string, words []string) error {
	if on, ok := onOff(text); ok && slices.Contains(words, on) {
		text = on
	}
	if !slices.Contains(words, text) {
		return fmt.Errorf("%q is not a choice; write %s", text, strings.Join(words, " or "))
	}
	*c = choice(text)
	return nil
}

// onOff returns the word on or off for any of the words that mean it.
func onOff(text string) (word string, ok bool) {
	switch strings.ToLower(text) {
	case "on", "true", "yes", "1":
		return "on", true
	case "off", "false", "no", "0":
		return "off", true
	}
	return "", false
}

// setSwitch sets a flag that is on or off.
func setSwitch(target *bool, text string) error {
	word, ok := onOff(text)
	if !ok {
		return fmt.Errorf("%q is neither on nor off; write on or off, or true or false", text)
	}
	*target = word == "on"
	return nil
}

// control is where the control plane is: on the server's address ("on"), nowhere
// ("off"), or on an address of its own.
type control string

func (c *control) UnmarshalText(text []byte) error {
	*c = control(text)
	if word, ok := onOff(string(text)); ok {
		*c = control(word)
		return nil
	}
	if address(text).check() != nil {
		return fmt.Errorf("%q is not a place for the control plane; write on, off, or an address, as %s", text, address(listen).advised(string(text)))
	}
	return nil
}

// own returns the control plane's own address, "" if it has none.
func (c control) own() address {
	if c == "on" || c == "off" {
		return ""
	}
	return address(c)
}

// origins are the word any or off, or origins.
type origins []string

func (o origins) check() error { return checkService(fixtures.Service{CORS: o}) }

// seed is a seed of generated campaigns, which may be 0.
type seed uint64

func (s *seed) UnmarshalText(text []byte) error {
	value, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not a seed; write a whole number from 0 to 18446744073709551615", text)
	}
	*s = seed(value)
	return nil
}

// grace is how long answers may take when the server ends.
type grace time.Duration

func (g *grace) UnmarshalText(text []byte) error {
	value, err := time.ParseDuration(string(text))
	if err != nil || value < 0 || value > time.Hour {
		return fmt.Errorf("%q is not a length of time in this range; write one as 5s, from 0s to 1h", text)
	}
	*g = grace(value)
	return nil
}

// number is a whole number that is not negative.
type number int

func (n *number) UnmarshalText(text []byte) error {
	value, err := strconv.ParseUint(string(text), 10, 32)
	if err != nil || value > fixtures.MaxCount {
		return fmt.Errorf("%q is not a number in this range; write a whole number from 0 to %d", text, fixtures.MaxCount)
	}
	*n = number(value)
	return nil
}

// address is a host and a port to listen on.
type address string

func (a address) check() error {
	host, port, err := net.SplitHostPort(string(a))
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil || strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r > '~' || r == '/' }) {
		other := address(listen)
		return fmt.Errorf("%q is not an address; write one as %s, or %s for any free port", a, other.advised(string(a)), other.withPort("0"))
	}
	return nil
}

// advised returns the default address with the port that was given, or with another one, as
// an example that clients can reach.
func (a address) advised(given string) address {
	p := port("9000")
	p.UnmarshalText([]byte(given)) // changes nothing if it is no port
	return a.withPort(p)
}

// onAllInterfaces returns the address on all interfaces that has the same port.
func (a address) onAllInterfaces() address {
	_, p, _ := net.SplitHostPort(string(a))
	return address(":" + p)
}

// port is the number of a port to listen on, "" if it is not given.
type port string

func (p *port) UnmarshalText(text []byte) error {
	number, err := strconv.ParseUint(string(text), 10, 16)
	if err != nil {
		return fmt.Errorf("%q is not a port; write a number from 0 to 65535, where 0 takes any free port", text)
	}
	*p = port(strconv.FormatUint(number, 10))
	return nil
}

// withPort returns an address with another port, if that is given.
func (a address) withPort(p port) address {
	if p == "" {
		return a
	}
	host, _, _ := net.SplitHostPort(string(a))
	return address(net.JoinHostPort(host, string(p)))
}

// url returns the URL by which a client on this machine reaches a server that
// listens on a.
func (a address) url(scheme string) string {
	host, port, _ := net.SplitHostPort(string(a))
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	// url.URL knows how to write the zone of an IPv6 address.
	return (&url.URL{Scheme: scheme, Host: net.JoinHostPort(host, port)}).String()
}
