package fake

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fixtures"
)

// What all calls of the control plane have in common: reading parameters and bodies,
// and answering.

// refuse answers with a problem document.
func (c *call) refuse(status int, detail string) {
	if c.r.Close { // or net/http closes the connection with the body unread, and the answer is lost
		wire.Drain(c.ResponseWriter, c.r)
	}
	c.Header().Set("Content-Type", "application/problem+json")
	c.json(status, newProblem(status, detail))
}

// uncached sets the headers of whatever the control plane answers: it is of a type,
// which nobody is to guess, and of this moment alone.
func (c *call) uncached(contentType string) {
	header := c.Header()
	header.Set("Content-Type", contentType)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
}

// A controlMistake is a fixtures.Mistake in a body.
type controlMistake struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Path    string `json:"path,omitempty"`
	Problem string `json:"problem"`
	Instead string `json:"instead,omitempty"`
	Source  string `json:"source,omitempty"`
}

// mistakesOf returns the mistakes that an error holds, if it does.
func mistakesOf(err error) (list []controlMistake) {
	var mistakes *fixtures.Mistakes
	if errors.As(err, &mistakes) {
		for _, m := range mistakes.List {
			list = append(list, controlMistake(m))
		}
	}
	return list
}

// refuseBody answers a body that cannot be used, with every mistake in it.
func (c *call) refuseBody(err error) {
	document := newProblem(http.StatusBadRequest, err.Error())
	var mistakes *fixtures.Mistakes
	if errors.As(err, &mistakes) {
		document.Detail = sentence(counted(len(mistakes.List)+mistakes.More, "mistake")) + " The first: " + mistakes.List[0].String()
		document.Mistakes, document.More = mistakesOf(err), mistakes.More
		if several, ok := err.(interface{ Unwrap() []error }); ok {
			for _, other := range several.Unwrap() {
				if !errors.As(other, &mistakes) {
					document.Detail += " Also: " + other.Error()
				}
			}
		}
	}
	document.Detail += c.aboutPlus(c.r.URL.Query().Get("token"))
	c.Header().Set("Content-Type", "application/problem+json")
	c.json(http.StatusBadRequest, document)
}

// json answers with a value.
func (c *call) json(status int, value any) {
	c.uncached(cmp.Or(c.Header().Get("Content-Type"), "application/json"))
	encoder := json.NewEncoder(c)
	encoder.SetEscapeHTML(false)
	c.WriteHeader(status)
	if c.r.Method != http.MethodHead {
		encoder.Encode(value)
	}
}

// parameters reads the query, in which nothing but the named parameters may
// stand, each once.
func (c *call) parameters(names ...string) (map[string]string, bool) {
	query, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		c.refuse(http.StatusBadRequest, "The query cannot be read: "+err.Error()+".")
		return nil, false
	}
	values := make(map[string]string)
	send := strings.Join(names, ", ")
	if send == "" {
		send = "none"
	}
	for name, given := range query {
		if !slices.Contains(names, name) {
			c.refuse(http.StatusBadRequest, fmt.Sprintf("There is no parameter %q here; send %s.", shorten(name), send))
			return nil, false
		}
		if len(given) > 1 {
			c.refuse(http.StatusBadRequest, fmt.Sprintf("The parameter %s is there %d times; send it once.", name, len(given)))
			return nil, false
		}
		values[name] = given[0]
	}
	return values, true
}

// required returns a parameter that has to be there.
func (c *call) required(values map[string]string, name string) (string, bool) {
	value, given := values[name]
	if !given {
		c.refuse(http.StatusBadRequest, fmt.Sprintf("The parameter %s is missing; send ?%[1]s=, with the %[1]s percent-encoded.", name))
	}
	return value, given
}

// tokenParameter reads the one parameter token, which has to be there.
func (c *call) tokenParameter() (string, bool) {
	values, ok := c.parameters("token")
	if !ok {
		return "", false
	}
	return c.required(values, "token")
}

// boolean returns whether a parameter is true or false, nil if it is not there.
func (c *call) boolean(values map[string]string, name, meaning string) (value *bool, ok bool) {
	text, given := values[name]
	if !given {
		return nil, true
	}
	if text != "true" && text != "false" {
		c.refuse(http.StatusBadRequest, fmt.Sprintf("The parameter %s is %q; send true %s.", name, shorten(text), meaning))
		return nil, false
	}
	is := text == "true"
	return &is, true
}

// tokenAndBody reads what both have to be there.
func (c *call) tokenAndBody() (token string, body []byte, ok bool) {
	if token, ok = c.tokenParameter(); ok {
		body, ok = c.readBody()
	}
	return token, body, ok
}

// readBody reads the body of a request.
func (c *call) readBody() ([]byte, bool) {
	// A body that never ends ends all the same, and at once when the server stops.
	controller := http.NewResponseController(c.ResponseWriter)
	controller.SetReadDeadline(time.Now().Add(controlTimeout))
	done := make(chan struct{})
	stop := context.AfterFunc(c.server.stopping, func() {
		defer close(done)
		controller.SetReadDeadline(time.Now())
	})
	body, err := io.ReadAll(http.MaxBytesReader(c.ResponseWriter, c.r.Body, controlBytes))
	switch {
	case !stop():
		<-done // since nothing may be done to a request that is over
	case err == nil: // or the server waits for the rest of the body after the answer
		controller.SetReadDeadline(time.Time{})
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		c.refuse(http.StatusRequestEntityTooLarge, fmt.Sprintf("The body is larger than %d MiB.", controlBytes>>20))
	case err != nil:
		c.refuse(http.StatusBadRequest, "The body cannot be read: "+err.Error()+".")
	default:
		return body, true
	}
	return nil, false
}
