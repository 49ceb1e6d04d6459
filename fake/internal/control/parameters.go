package control

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/words"
)

// parameters are those of a call's query.
type parameters struct {
	values map[string]string
	err    error // refuses the first one that is wrong
}

// read reads the query of a request, which may have the named parameters alone, each once.
func (p *parameters) read(r *http.Request, names string) {
	p.values = make(map[string]string)
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		p.refuse("The query cannot be read: %v.", err)
	}
	known := strings.Split(names, ", ")
	for name, given := range query {
		switch {
		case !slices.Contains(known, name):
			p.refuse("There is no parameter %q here; send %s.", words.Shorten(name), cmp.Or(names, "none"))
		case len(given) > 1:
			p.refuse("The parameter %s is there %d times; send it once.", name, len(given))
		}
		p.values[name] = given[0]
	}
}

// refuse refuses the call, unless it was refused before.
func (p *parameters) refuse(format string, args ...any) {
	if p.err == nil {
		p.err = refuse(http.StatusBadRequest, format, args...)
	}
}

// token returns the parameter token, nil if it is not given.
func (p *parameters) token() *string {
	if token, given := p.values["token"]; given {
		return &token
	}
	return nil
}

// withToken returns the answer to calls that need the parameter token.
func withToken(answer func(c *call, token string) error) func(*call) error {
	return func(c *call) error {
		token, given := c.query.values["token"]
		if !given {
			return refuse(http.StatusBadRequest, "The parameter token is missing; send ?token=, with the token percent-encoded.")
		}
		return answer(c, token)
	}
}

// number returns a parameter from least to most, or another number if it is not
// given.
func (p *parameters) number(name string, least, most, otherwise int) int {
	text, given := p.values[name]
	if !given {
		return otherwise
	}
	value, err := strconv.Atoi(text)
	if err != nil || value < least || value > most {
		p.refuse("The parameter %s is %q; send a whole number from %d to %d.", name, words.Shorten(text), least, most)
	}
	return value
}

// duration returns a parameter from a millisecond to a day, or another duration if it is
// not given.
func (p *parameters) duration(name string, otherwise time.Duration) time.Duration {
	text, given := p.values[name]
	if !given {
		return otherwise
	}
	value, err := time.ParseDuration(text)
	if err != nil || value < time.Millisecond || value > 24*time.Hour {
		p.refuse("The parameter %s is %q; send a duration such as 30s, up to 24h.", name, words.Shorten(text))
	}
	return value
}

// anew returns whether a call makes its token start anew, as it does by default.
func (p *parameters) anew() (bool, error) {
	return p.boolean("anew", "to start the token anew, or false to keep its requests, its counts and the replies that were enqueued") != "false", p.err
}

// boolean returns a parameter that is true or false, "" if it is not given. The meaning
// completes the sentence that refuses another value.
func (p *parameters) boolean(name, meaning string) string {
	text, given := p.values[name]
	if given && text != "true" && text != "false" {
		p.refuse("The parameter %s is %q; send true %s.", name, words.Shorten(text), meaning)
	}
	return text
}
