package upstream

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
)

// writeURL says what to write in place of a URL that cannot be used.
const writeURL = "write one as https://staging.example.com/v1"

// CheckURL returns nil if an upstream can have the URL. Otherwise the error says what is wrong
// and what to write instead. It repeats nothing of the URL except its port, because the URL may
// hold a password.
func CheckURL(u *url.URL) error {
	if u == nil {
		return errors.New("there is no URL; " + writeURL)
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("the URL does not begin with http:// or https://; " + writeURL)
	}
	if u.Hostname() == "" {
		return errors.New("the URL has no host; " + writeURL)
	}
	if u.User != nil {
		return errors.New("the URL has a user name or a password; " +
			"leave it out, since each request brings its own Authorization header")
	}
	if u.RawQuery != "" || u.ForceQuery {
		return errors.New("the URL has a query; end it before the question mark")
	}
	if u.Fragment != "" {
		return errors.New("the URL has a fragment; end it before the #")
	}
	return checkPort(u.Port())
}

// checkPort returns what is wrong with a port, or nil. The port is "" if the URL has none.
func checkPort(port string) error {
	if port == "" {
		return nil
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 {
		const mistake = "no server can have the port %s; write one from 1 to 65535, or none"
		return fmt.Errorf(mistake, port)
	}
	return nil
}
