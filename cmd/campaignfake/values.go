package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"example.com/campaignfake/fixtures"
)

// A reader sets the value of a flag from a text, or says what is wrong with it: kong puts
// the name of the flag before that.
type reader func(text string, target reflect.Value) error

// readers returns what the tag type of a flag can name.
func readers() map[string]reader {
	return map[string]reader{
		"address":   checked(checkAddress),
		"port":      checked(checkPort),
		"url":       checked(checkURL),
		"file":      checked(func(string) error { return nil }),
		"token":     checked(checkToken),
		"host":      listed(fixtures.CheckHost),
		"origin":    listed(fixtures.CheckOrigin),
		"name":      listed(checkHostName),
		"page":      checked(fixtures.CheckOrigin),
		"on|off":    oneOf("on", "off"),
		"yaml|json": oneOf("yaml", "json"),
		"switch":    readSwitch,
		"count":     number(fixtures.MaxCount),
		"seed":      number(math.MaxUint64),
		"delay":     readDelay,
		"path":      checked(func(text string) error { return checkService(fixtures.Service{BasePath: text}) }),
		"unknown":   checked(func(text string) error { return checkService(fixtures.Service{UnknownTokens: text}) }),
		"cors": func(text string, target reflect.Value) error {
			err := listed(func(string) error { return nil })(text, target)
			return cmp.Or(err, checkService(fixtures.Service{CORS: target.Interface().([]string)}))
		},
	}
}

// Decode reads a value of the command line or of a variable.
func (read reader) Decode(c *kong.DecodeContext, target reflect.Value) error {
	switch next := c.Scan.Peek(); {
	case target.Kind() == reflect.Bool && next.Type != kong.FlagValueToken:
		target.SetBool(true) // the flag stands alone
		return nil
	case !next.IsValue():
		return fmt.Errorf("has no value; write one after it, as --%s=…", c.Value.Name)
	case next.String() == "": // as an unset variable of the shell in quotes is
		return errors.New(`"" is empty; give a value, or leave the flag out`)
	}
	return read(c.Scan.Pop().String(), target)
}

// checked returns a reader of texts that are checked.
func checked(check func(text string) error) reader {
	return func(text string, target reflect.Value) error {
		target.SetString(text)
		return check(text)
	}
}

// listed returns a reader of texts with commas between them. A flag that is given twice
// has those of both.
func listed(check func(text string) error) reader {
	return func(text string, target reflect.Value) error {
		for element := range strings.SplitSeq(text, ",") {
			element = strings.TrimSpace(element)
			if element == "" {
				return fmt.Errorf("%q has nothing beside a comma; leave the comma out", text)
			}
			if err := check(element); err != nil {
				return err
			}
			target.Set(reflect.Append(target, reflect.ValueOf(element)))
		}
		return nil
	}
}

// oneOf returns a reader of words.
func oneOf(words ...string) reader {
	return func(text string, target reflect.Value) error {
		if on, ok := onOff[strings.ToLower(text)]; ok && words[0] == "on" {
			text = map[bool]string{true: "on", false: "off"}[on]
		}
		target.SetString(text)
		if !slices.Contains(words, text) {
			return fmt.Errorf("%q is not a choice; write %s", text, strings.Join(words, " or "))
		}
		return nil
	}
}

// onOff are the words for what is on or off.
var onOff = map[string]bool{"on": true, "true": true, "yes": true, "1": true, "off": false, "false": false, "no": false, "0": false}

func readSwitch(text string, target reflect.Value) error {
	on, ok := onOff[strings.ToLower(text)]
	if !ok {
		return fmt.Errorf("%q is neither on nor off; write on or off, or true or false", text)
	}
	target.SetBool(on)
	return nil
}

// number returns a reader of whole numbers.
func number(most uint64) reader {
	return func(text string, target reflect.Value) error {
		value, err := strconv.ParseUint(text, 10, 64)
		if err != nil || value > most {
			return fmt.Errorf("%q is not a number in this range; write a whole number from 0 to %d", text, most)
		}
		reflect.Indirect(target).SetUint(value)
		return nil
	}
}

func readDelay(text string, target reflect.Value) error {
	return target.Interface().(*fixtures.Delay).UnmarshalText([]byte(text))
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

func checkToken(text string) error {
	if err := fixtures.CheckToken(text); err != nil {
		return fmt.Errorf("%q %w", text, err)
	}
	return nil
}

func checkHostName(name string) error {
	_, isSwitch := onOff[strings.ToLower(name)]
	if isSwitch || net.ParseIP(name) == nil && strings.ContainsAny(name, " /:@") {
		return fmt.Errorf("%q is not the name of a host; write those that clients use, as localhost,campaigns", name)
	}
	return nil
}

func checkPort(text string) error {
	if _, err := strconv.ParseUint(text, 10, 16); err != nil {
		return fmt.Errorf("%q is not a port; write a number from 0 to 65535, where 0 takes any free port", text)
	}
	return nil
}

func checkAddress(text string) error {
	host, port, err := net.SplitHostPort(text)
	if err != nil || checkPort(port) != nil || strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r > '~' || r == '/' }) {
		return fmt.Errorf("%q is not an address; write one as %s, or %s for any free port", text, listen, address(listen).withPort("0"))
	}
	return nil
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	if err == nil && u.Port() != "" {
		err = checkPort(u.Port())
	}
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%q is not a URL; write one as http://127.0.0.1:8642", text)
	}
	return nil
}

// address is a host and a port to listen on.
type address string

// withPort returns an address with another port, if that is given.
func (a address) withPort(port string) address {
	if port == "" {
		return a
	}
	host, _, _ := net.SplitHostPort(string(a))
	return address(net.JoinHostPort(host, port))
}

// url returns the URL by which a client on this machine reaches a server that listens
// on a.
func (a address) url(scheme string) string {
	host, port, _ := net.SplitHostPort(string(a))
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	// url.URL knows how to write the zone of an IPv6 address.
	return (&url.URL{Scheme: scheme, Host: net.JoinHostPort(host, port)}).String()
}
