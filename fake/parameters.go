package fake

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// parameters are those of a call's query. The first one that is wrong is answered
// with 400; from then on refused is true, and no other is answered.
type parameters struct {
	call    *call
	values  map[string]string
	refused bool
}

// parameters reads the query, which may have the named parameters alone, each once.
func (c *call) parameters(names ...string) *parameters {
	p := &parameters{call: c, values: make(map[string]string)}
	query, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		p.refuse("The query cannot be read: %v.", err)
	}
	known := cmp.Or(strings.Join(names, ", "), "none")
	for name, given := range query {
		switch {
		case !slices.Contains(names, name):
			p.refuse("There is no parameter %q here; send %s.", shorten(name), known)
		case len(given) > 1:
			p.refuse("The parameter %s is there %d times; send it once.", name, len(given))
		}
		p.values[name] = given[0]
	}
	return p
}

// refuse answers with 400, unless something was refused before.
func (p *parameters) refuse(format string, args ...any) {
	if !p.refused {
		p.call.refuse(http.StatusBadRequest, fmt.Sprintf(format, args...))
	}
	p.refused = true
}

// token returns the parameter token, nil if it is not given.
func (p *parameters) token() *string {
	if token, given := p.values["token"]; given {
		return &token
	}
	return nil
}

// requiredToken returns the parameter token, and refuses a call without it.
func (p *parameters) requiredToken() string {
	token, given := p.values["token"]
	if !given {
		p.refuse("The parameter token is missing; send ?token=, with the token percent-encoded.")
	}
	return token
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
		p.refuse("The parameter %s is %q; send a whole number from %d to %d.", name, shorten(text), least, most)
	}
	return value
}

// boolean returns a parameter that is true or false, nil if it is not given. The
// meaning completes the sentence that refuses another value.
func (p *parameters) boolean(name, meaning string) *bool {
	text, given := p.values[name]
	if !given {
		return nil
	}
	if text != "true" && text != "false" {
		p.refuse("The parameter %s is %q; send true %s.", name, shorten(text), meaning)
	}
	value := text == "true"
	return &value
}
