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

// A reader parses the text of a flag's value and stores the value in target, or returns what is
// wrong with the text. The caller puts the name of the flag or environment variable before the
// error.
type reader func(given string, target reflect.Value) error

// readers has the readers by their names in the tags of flags, such as type:"port".
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

// Decode reads the value of a flag from the command line or from an environment variable. It
// refuses an empty value: mostly somebody has written "$NAME", and the shell has no variable NAME.
func (read reader) Decode(c *kong.DecodeContext, target reflect.Value) error {
	next := c.Scan.Peek()
	given := next.String()

	// A switch without a value is on. The value of a switch is the text after =, or the next word
	// if switchWords has this word.
	isItsValue := next.Type == kong.FlagValueToken || slices.Contains(switchWords, given)
	if c.Value.IsBool() && !isItsValue {
		target.SetBool(true)
		return nil
	}
	// A text such as -5 begins like a flag. It counts as a value, so that the reader can refuse it.
	isNegative := negative().MatchString(given)
	isValue := next.IsValue() || isNegative
	if !isValue || given == "" {
		return errors.New("has no value; give one, or leave it out")
	}
	c.Scan.Pop()
	return read(given, target)
}

// switchWords are the words that can follow a switch as its value, as in --gallery off. The words
// yes and no are in the list only so that readSwitch can refuse them with advice.
var switchWords = []string{"on", "off", "true", "false", "yes", "no"}

// negative matches a negative number or duration, for example -5 or -2s.
var negative = text.Pattern(`^-[0-9]`)

// readSwitch reads on, off, and the words of strconv.ParseBool, such as true and 0.
func readSwitch(given string, target reflect.Value) error {
	isOn, err := strconv.ParseBool(given)
	if err != nil && given != "on" && given != "off" {
		return fmt.Errorf("%q is neither on nor off; write on or off, or true or false", given)
	}
	target.SetBool(isOn || given == "on")
	return nil
}

// readURL reads the URL of a server, and drops the path of the URL.
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

// textReader returns a reader that stores a text as it is, and checks it by the function check.
func textReader(check func(given string) error) reader {
	return func(given string, target reflect.Value) error {
		target.SetString(given)
		return check(given)
	}
}

// listReader returns a reader that splits a text at commas, and checks each element by the function
// check. If the command line gives a flag twice, the list has the elements of both.
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

// numberReader returns a reader of whole numbers. The argument `most` is the largest number that
// the reader accepts; 0 is the smallest.
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

// anyText accepts every text. Other packages check some of these texts later, for example a base
// path.
func anyText(string) error { return nil }

// checkUpstream checks the URL of an upstream. Its errors do not repeat the URL, since the URL may
// contain a password.
func checkUpstream(given string) error {
	api, err := url.Parse(given)
	if err != nil {
		return errors.New("is not a URL; write one as https://staging.example.com/v1")
	}
	return fake.CheckUpstream(api)
}

// checkToken checks a token. Its error quotes the token. The error of fixtures.CheckToken does not:
// the message about a token in a file shows the line of the file anyway.
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

// checkFixtures refuses a path, which some people give to --fixtures in place of YAML. The method
// load checks the YAML later.
func checkFixtures(given string) error {
	path := strings.TrimSpace(given)
	if isPath(path) {
		return fmt.Errorf("%q is a path, and not the text of fixtures; "+
			"name files and folders as arguments, as campaignfake %s", path, text.ShellQuote(path))
	}
	return nil
}

// isPath guesses whether a text is a path, and not YAML.
func isPath(given string) bool {
	if strings.ContainsAny(given, "\n{") {
		return false
	}
	isNamed := slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(given))
	isRooted := strings.HasPrefix(given, "/") || strings.HasPrefix(given, ".")
	_, err := os.Stat(given)
	return isNamed || isRooted || err == nil
}

// checkAddress checks a HOST:PORT. The port has to be a number: not every machine knows the port of
// a name such as http-alt.
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
