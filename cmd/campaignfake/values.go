package main

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A reader sets the value of a flag from a text, or says what is wrong with it: the parser
// puts the name of the flag before that.
type reader func(text string, target reflect.Value) error

// readers are what the tag type of a flag can name.
var readers = map[string]reader{
	"switch":  readSwitch,
	"url":     readURL,
	"address": texts(checkAddress),
	"token":   texts(checkToken),
	"origin":  texts(fixtures.CheckOrigin),
	"host":    texts(fake.CheckHost),
	"list":    texts(anyText),
	"port":    number(math.MaxUint16),
	"count":   number(fixtures.MaxCount),
	"seed":    number(math.MaxUint64),
	"delay": func(text string, target reflect.Value) error {
		return target.Interface().(*fixtures.Delay).UnmarshalText([]byte(text))
	},
}

// Decode reads a value of the command line or of a variable. A switch alone is on; the word
// behind it can be a file. A value that is empty is that of an unset variable of the shell
// in quotes, and a mistake.
func (read reader) Decode(c *kong.DecodeContext, target reflect.Value) error {
	next := c.Scan.Peek()
	text := next.String()
	switch {
	case c.Value.IsBool() && next.Type != kong.FlagValueToken && text != "on" && text != "off":
		target.SetBool(true)
		return nil
	case !next.IsValue() || text == "":
		return errors.New("has no value; give one, or leave it out")
	}
	c.Scan.Pop()
	return read(text, target)
}

// readSwitch reads what people write for on and off in compose files and in Go.
func readSwitch(text string, target reflect.Value) error {
	on, err := strconv.ParseBool(text)
	if err != nil && text != "on" && text != "off" {
		return fmt.Errorf("%q is neither on nor off; write on or off, or true or false", text)
	}
	target.SetBool(on || text == "on")
	return nil
}

// readURL reads the URL of a server, of which it leaves out the path.
func readURL(text string, target reflect.Value) error {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%q is not a URL; write one as http://127.0.0.1:8642", text)
	}
	target.SetString(u.Scheme + "://" + u.Host)
	return nil
}

// texts returns a reader of a text that is checked, or of several with commas between
// them. A list that is given twice has those of both.
func texts(check func(text string) error) reader {
	return func(text string, target reflect.Value) error {
		if target.Kind() == reflect.String {
			target.SetString(text)
			return check(text)
		}

		for element := range strings.SplitSeq(text, ",") {
			element = strings.TrimSpace(element)
			if err := check(element); err != nil {
				return err
			}
			target.Set(reflect.Append(target, reflect.ValueOf(element)))
		}
		return nil
	}
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

// anyText is the check of a text that is checked elsewhere, or not at all.
func anyText(string) error { return nil }

// checkToken names the token, since the check of fixtures leaves it to the place.
func checkToken(text string) error {
	if err := fixtures.CheckToken(text); err != nil {
		return fmt.Errorf("%q %w", text, err)
	}
	return nil
}

// checkAddress takes a port of digits only: a name of a service is not known everywhere.
func checkAddress(text string) error {
	_, port, err := net.SplitHostPort(text)
	if _, noPort := strconv.ParseUint(port, 10, 16); err != nil || noPort != nil {
		return fmt.Errorf("%q is not an address; write one as %s, with port 0 for any free one", text, listen)
	}
	return nil
}
