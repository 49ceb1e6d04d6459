package control

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/words"
)

// parameterKinds say what the values of parameters may be. What is not among them is text.
var parameterKinds = map[string]kind{
	"anew":          flag,
	"format":        oneOf("json", "yaml"),
	"status":        wholeNumber(0, 599),
	"since":         wholeNumber(0, math.MaxInt32),
	"limit":         wholeNumber(1, MaxListed),
	"await":         wholeNumber(1, math.MaxInt32),
	"await_answers": wholeNumber(1, math.MaxInt32),
	"within":        duration,
	"unmatched":     flag,
	"advice":        flag,
	"brief":         flag,
	"oldest":        flag,
}

// A kind of values says what to send in place of a value that is wrong, and "" of others.
type kind func(value string) (instead string)

var flag = oneOf("true", "false")

func oneOf(allowed ...string) kind {
	return func(value string) string {
		if slices.Contains(allowed, value) {
			return ""
		}
		return strings.Join(allowed, " or ")
	}
}

func wholeNumber(least, most int) kind {
	return func(value string) string {
		if n, err := strconv.Atoi(value); err == nil && least <= n && n <= most {
			return ""
		}
		return fmt.Sprintf("a whole number from %d to %d", least, most)
	}
}

func duration(value string) string {
	if d, err := time.ParseDuration(value); err == nil && time.Millisecond <= d && d <= 24*time.Hour {
		return ""
	}
	return "a duration such as 30s, up to 24h"
}

// parameters are the values in the query of a call, each of its kind.
type parameters map[string]string

// readParameters reads the query of a request, which may have the named parameters alone,
// each once.
func readParameters(r *http.Request, names string) (parameters, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "The query cannot be read: %v.", err)
	}
	p, known := make(parameters), strings.Split(names, ", ")
	for _, name := range slices.Sorted(maps.Keys(query)) {
		values := query[name]
		switch {
		case !slices.Contains(known, name):
			return nil, refuse(http.StatusBadRequest, "There is no parameter %q here; send %s.", words.Shorten(name), cmp.Or(names, "none"))
		case len(values) > 1:
			return nil, refuse(http.StatusBadRequest, "The parameter %s is there %d times; send it once.", name, len(values))
		}
		if kind := parameterKinds[name]; kind != nil {
			if instead := kind(values[0]); instead != "" {
				return nil, refuse(http.StatusBadRequest, "The parameter %s is %q; send %s.", name, words.Shorten(values[0]), instead)
			}
		}
		p[name] = values[0]
	}
	return p, nil
}

// number returns a parameter, or another number if it is not given.
func (p parameters) number(name string, otherwise int) int {
	if n, err := strconv.Atoi(p[name]); err == nil {
		return n
	}
	return otherwise
}

// says reports whether a parameter is given, and is true or false as the value is.
func (p parameters) says(name string, value bool) bool { return p[name] == strconv.FormatBool(value) }

// tokens returns the parameter token, or none, which stands for all tokens.
func (p parameters) tokens() []string {
	if token, given := p["token"]; given {
		return []string{token}
	}
	return nil
}

// withToken returns the answer to calls that need the parameter token.
func withToken(answer func(c *call, token string) error) func(*call) error {
	return func(c *call) error {
		token, given := c.query["token"]
		if !given {
			return refuse(http.StatusBadRequest, "The parameter token is missing; send ?token=, with the token percent-encoded.")
		}
		return answer(c, token)
	}
}
