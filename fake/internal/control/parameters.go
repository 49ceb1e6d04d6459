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
	"status":        wholeNumber(0, 599),
	"since":         wholeNumber(0, math.MaxInt32),
	"limit":         wholeNumber(1, MaxListed),
	"await":         wholeNumber(0, math.MaxInt32),
	"await_answers": wholeNumber(0, math.MaxInt32),
	"within":        {isDuration, "a duration such as 30s, up to 24h"},
	"unmatched":     flag,
	"advice":        flag,
	"brief":         flag,
	"oldest":        flag,
}

// A kind is the values that a parameter may have, and these in words.
type kind struct {
	has   func(value string) bool
	words string
}

var flag = kind{func(value string) bool { return value == "true" || value == "false" }, "true or false"}

func wholeNumber(least, most int) kind {
	return kind{func(value string) bool {
		n, err := strconv.Atoi(value)
		return err == nil && least <= n && n <= most
	}, fmt.Sprintf("a whole number from %d to %d", least, most)}
}

func isDuration(value string) bool {
	d, err := time.ParseDuration(value)
	return err == nil && time.Millisecond <= d && d <= 24*time.Hour
}

// parameters are the values in the query of a call, each of its kind.
type parameters map[string]string

// readParameters reads the query of the call, which may have the parameters of its route alone,
// each once.
func (c *call) readParameters(of route) error {
	if of.optional == anything {
		return nil
	}
	query, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		return refuse(http.StatusBadRequest, "The query cannot be read: %v.", err)
	}
	allowed := strings.Trim(of.required+", "+of.optional, ", ")
	c.query = make(parameters)
	for _, name := range slices.Sorted(maps.Keys(query)) {
		values, kind := query[name], parameterKinds[name]
		switch {
		case !slices.Contains(strings.Split(allowed, ", "), name):
			return refuse(http.StatusBadRequest, "There is no parameter %q here; send %s.", words.Shorten(name), cmp.Or(allowed, "none"))
		case len(values) > 1:
			return refuse(http.StatusBadRequest, "The parameter %s is there %d times; send it once.", name, len(values))
		case kind.has != nil && !kind.has(values[0]):
			return refuse(http.StatusBadRequest, "The parameter %s is %q; send %s.", name, words.Shorten(values[0]), kind.words)
		}
		c.query[name] = values[0]
	}
	if of.required != "" && query[of.required] == nil {
		return refuse(http.StatusBadRequest, "The parameter %s is missing; send ?%[1]s=, percent-encoded.", of.required)
	}
	return nil
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
