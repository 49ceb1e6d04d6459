package main

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// A reader sets the value of a flag from a text, or says what is wrong with it. The caller puts the
// name of the flag or the variable before the error.
type reader func(given string, target reflect.Value) error

// readers are what the tag type of a flag can name.
var readers = map[string]reader{
	"switch":    readSwitch,
	"url":       readURL,
	"upstream":  textReader(checkUpstream),
	"delay":     readDelay,
	"address":   textReader(checkAddress),
	"token":     textReader(checkToken),
	"logFormat": textReader(checkLogFormat),
	"fixtures":  textReader(checkFixtures),
	"origin":    textReader(fixtures.CheckOrigin),
	"list":      listReader(anyText),
	"origins":   listReader(fixtures.CheckOrigin),
	"hosts":     listReader(fake.CheckHost),
	"port":      numberReader(math.MaxUint16),
	"count":     numberReader(fixtures.MaxCount),
	"seed":      numberReader(math.MaxUint64),
}

// Decode reads a value of the line or of a variable. An empty value is a mistake: mostly it is a
// shell variable that is not set, in quotes.
func (read reader) Decode(c *kong.DecodeContext, target reflect.Value) error {
	next := c.Scan.Peek()
	given := next.String()

	// A switch without a value is on. A word behind it that says on or off is its value.
	isItsValue := next.Type == kong.FlagValueToken || slices.Contains(switchWords, given)
	if c.Value.IsBool() && !isItsValue {
		target.SetBool(true)
		return nil
	}
	// A number below zero begins with a hyphen like a flag, but counts as a value, so that its
	// reader refuses it.
	isNegative := negative().MatchString(given)
	isValue := next.IsValue() || isNegative
	if !isValue || given == "" {
		return errors.New("has no value; give one, or leave it out")
	}
	c.Scan.Pop()
	return read(given, target)
}

// switchWords are the words that people write behind a switch. yes and no are refused there.
var switchWords = []string{"on", "off", "true", "false", "yes", "no"}

// negative matches a number below zero, or a duration.
var negative = text.Pattern(`^-[0-9]`)

// readSwitch reads what people write for on and off in compose files and in Go.
func readSwitch(given string, target reflect.Value) error {
	isOn, err := strconv.ParseBool(given)
	if err != nil && given != "on" && given != "off" {
		return fmt.Errorf("%q is neither on nor off; write on or off, or true or false", given)
	}
	target.SetBool(isOn || given == "on")
	return nil
}

// readURL reads the URL of a server, and leaves out its path.
func readURL(given string, target reflect.Value) error {
	u, err := url.Parse(given)
	isURL := err == nil && u.Hostname() != "" && (u.Scheme == "http" || u.Scheme == "https")
	if !isURL {
		return fmt.Errorf("%q is not a URL; write one as http://127.0.0.1:8642", given)
	}
	target.SetString(u.Scheme + "://" + u.Host)
	return nil
}

func readDelay(given string, target reflect.Value) error {
	delay := target.Interface().(*fixtures.Delay)
	return delay.UnmarshalText([]byte(given))
}

// textReader returns a reader of a text that is checked.
func textReader(check func(given string) error) reader {
	return func(given string, target reflect.Value) error {
		target.SetString(given)
		return check(given)
	}
}

// listReader returns a reader of texts with commas between them, and checks each of them. If a flag
// is given twice, its list has the texts of both.
func listReader(check func(given string) error) reader {
	return func(given string, target reflect.Value) error {
		for element := range strings.SplitSeq(given, ",") {
			element = strings.TrimSpace(element)
			if err := check(element); err != nil {
				return err
			}
			target.Set(reflect.Append(target, reflect.ValueOf(element)))
		}
		return nil
	}
}

// numberReader returns a reader of whole numbers from 0 to most.
func numberReader(most uint64) reader {
	return func(given string, target reflect.Value) error {
		value, err := strconv.ParseUint(given, 10, 64)
		if err != nil || value > most {
			return fmt.Errorf("%q is not a number in this range; "+
				"write a whole number from 0 to %d", given, most)
		}
		reflect.Indirect(target).SetUint(value)
		return nil
	}
}

// anyText is the check of a text that may be anything, or that somebody else checks.
func anyText(string) error { return nil }

// checkUpstream checks the URL of an upstream. Its errors do not repeat the URL, which may have a
// password in it.
func checkUpstream(given string) error {
	api, err := url.Parse(given)
	if err != nil {
		return errors.New("is not a URL; write one as https://staging.example.com/v1")
	}
	return fake.CheckUpstream(api)
}

// checkToken checks a token, and names it in the error. The check of package fixtures does not,
// since in a file the place is enough.
func checkToken(given string) error {
	if err := fixtures.CheckToken(given); err != nil {
		return fmt.Errorf("%q %w", given, err)
	}
	return nil
}

func checkLogFormat(given string) error {
	if given != formatText && given != formatJSON {
		return fmt.Errorf("%q is no format of the log; write %s or %s",
			given, formatText, formatJSON)
	}
	return nil
}

// checkFixtures checks the text of fixtures. Some people give the path of a file in its place.
func checkFixtures(given string) error {
	path := strings.TrimSpace(given)
	if isPath(path) {
		return fmt.Errorf("%q is a path, and not the text of fixtures; "+
			"name files and folders as arguments, as campaignfake %s", path, text.ShellQuote(path))
	}
	return nil
}

// isPath returns whether a text is a path, and no YAML.
func isPath(given string) bool {
	if strings.ContainsAny(given, "\n{") {
		return false
	}
	isNamed := slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(given))
	isRooted := strings.HasPrefix(given, "/") || strings.HasPrefix(given, ".")
	_, err := os.Stat(given)
	return isNamed || isRooted || err == nil
}

// checkAddress checks an address. Its port has to be a number, since the name of a service is not
// known on every machine.
func checkAddress(given string) error {
	_, port, err := net.SplitHostPort(given)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("%q is not an address; "+
			"write one as %s, with port 0 for any free one", given, listen)
	}
	return nil
}
