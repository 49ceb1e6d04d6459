package main

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"example.com/campaignfake/fixtures"
	"github.com/alecthomas/kong"
)

// The types of flags check their values when they are parsed, so that the message
// names the flag or the variable. Package fixtures checks values that fixtures can
// have, too.

// notEmpty returns an error if the value of a flag is empty, as that of an unset
// variable in quotes is.
func notEmpty(text []byte) error {
	if len(text) == 0 {
		return errors.New(`"" is not a value; give one, or leave the flag out`)
	}
	return nil
}

// checkService returns the first mistake in a setting, without its name, which is
// that of the flag.
func checkService(service fixtures.Service) error {
	var mistakes *fixtures.Mistakes
	if errors.As(service.Check(), &mistakes) {
		return fmt.Errorf("%s; %s", mistakes.List[0].Problem, mistakes.List[0].Instead)
	}
	return nil
}

// token is a bearer token that clients can send.
type token string

func (t *token) UnmarshalText(text []byte) error {
	*t = token(text)
	if err := fixtures.CheckToken(string(text)); err != nil {
		return fmt.Errorf("%q %w", text, err)
	}
	return nil
}

type basePath string

func (b *basePath) UnmarshalText(text []byte) error {
	*b = basePath(text)
	return cmp.Or(notEmpty(text), checkService(fixtures.Service{BasePath: string(text)}))
}

// profile is the name of a profile.
type profile string

func (p *profile) UnmarshalText(text []byte) error {
	*p = profile(text)
	_, err := fixtures.Profile(string(text))
	return cmp.Or(notEmpty(text), err)
}

// choice is one of the words that the placeholder of the flag lists, as on|off.
type choice string

func (c *choice) Decode(ctx *kong.DecodeContext) error {
	words := strings.Split(ctx.Value.Flag.PlaceHolder, "|")
	var text string
	if err := ctx.Scan.PopValueInto("value", &text); err != nil {
		return err
	}
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

// A switchMapper reads flags that are on or off. Without a value they are on.
type switchMapper struct{}

func (switchMapper) IsBool() bool { return true }

func (switchMapper) Decode(ctx *kong.DecodeContext, target reflect.Value) error {
	word := "on"
	if ctx.Scan.Peek().Type == kong.FlagValueToken {
		text := fmt.Sprint(ctx.Scan.Pop().Value)
		var ok bool
		if word, ok = onOff(text); !ok {
			return fmt.Errorf("%q is neither on nor off; write on or off, or true or false", text)
		}
	}
	target.SetBool(word == "on")
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
	if new(address).UnmarshalText(text) != nil {
		return cmp.Or(notEmpty(text), fmt.Errorf("%q is not a place for the control plane; write on, off, or host:port, as 127.0.0.1:9000", text))
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

// delay is a delay, nil if the flag is not given: a delay of 0 is something else.
type delay struct{ value *fixtures.Delay }

func (d *delay) UnmarshalText(text []byte) error {
	d.value = new(fixtures.Delay)
	return cmp.Or(notEmpty(text), d.value.UnmarshalText(text))
}

// origins are the word any or off, or origins with commas between them.
type origins []string

func (o *origins) UnmarshalText(text []byte) error {
	*o = append(*o, list(text)...)
	return checkService(fixtures.Service{CORS: *o})
}

// seed is a seed that may be 0, and whether it is given.
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

func (a *address) UnmarshalText(text []byte) error {
	host, port, err := net.SplitHostPort(string(text))
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil || strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r > '~' || r == '/' }) {
		return fmt.Errorf("%q is not an address; write host:port, as 127.0.0.1:8642, or 127.0.0.1:0 for any free port", text)
	}
	*a = address(text)
	return nil
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

// checkPort returns an error if the command line has both --listen and --port.
func checkPort(call *kong.Context) error {
	flags := make(map[string]*kong.Flag)
	for _, part := range call.Path {
		if part.Flag != nil {
			flags[part.Flag.Name] = part.Flag
		}
	}
	if flags["listen"] == nil || flags["port"] == nil {
		return nil
	}
	listen := call.FlagValue(flags["listen"]).(address)
	return fmt.Errorf("--listen and --port both name a port; write the port into --listen alone, as --listen %s", listen.withPort(call.FlagValue(flags["port"]).(port)))
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
