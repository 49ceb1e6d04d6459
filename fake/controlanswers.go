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

	"example.com/campaignfake/fixtures"
)

// refuse answers with a problem document.
func (x *exchange) refuse(status int, detail string) {
	x.drainLast() // which nobody may have read
	refusal := newAnswer(Response{Status: status}, "application/problem+json")
	x.uncached("application/problem+json")
	refusal.send(x, detail)
}

// uncached sets the headers of whatever the control plane answers: it is of a type,
// which nobody is to guess, and of this moment alone.
func (x *exchange) uncached(contentType string) {
	header := x.Header()
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
func (x *exchange) refuseBody(err error) {
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
	document.Detail += x.aboutPlus(x.request.URL.Query().Get("token"))
	x.Header().Set("Content-Type", "application/problem+json")
	x.json(http.StatusBadRequest, document)
}

// json answers with a value.
func (x *exchange) json(status int, value any) {
	x.uncached(cmp.Or(x.Header().Get("Content-Type"), "application/json"))
	encoder := json.NewEncoder(x)
	encoder.SetEscapeHTML(false)
	x.WriteHeader(status)
	if x.request.Method != http.MethodHead {
		encoder.Encode(value)
	}
}

// parameters reads the query, in which nothing but the named parameters may
// stand, each once.
func (x *exchange) parameters(names ...string) (map[string]string, bool) {
	query, err := url.ParseQuery(x.request.URL.RawQuery)
	if err != nil {
		x.refuse(http.StatusBadRequest, "The query cannot be read: "+err.Error()+".")
		return nil, false
	}
	values := make(map[string]string)
	send := strings.Join(names, ", ")
	if send == "" {
		send = "none"
	}
	for name, given := range query {
		if !slices.Contains(names, name) {
			x.refuse(http.StatusBadRequest, fmt.Sprintf("There is no parameter %q here; send %s.", shorten(name), send))
			return nil, false
		}
		if len(given) > 1 {
			x.refuse(http.StatusBadRequest, fmt.Sprintf("The parameter %s is there %d times; send it once.", name, len(given)))
			return nil, false
		}
		values[name] = given[0]
	}
	return values, true
}

// token reads the one parameter token, which has to be there.
func (x *exchange) tokenParameter() (string, bool) {
	values, ok := x.parameters("token")
	if !ok {
		return "", false
	}
	token, given := values["token"]
	if !given {
		x.refuse(http.StatusBadRequest, "The parameter token is missing; send ?token=, with the token percent-encoded.")
		return "", false
	}
	return token, true
}

// tokenAndBody reads what both have to be there.
func (x *exchange) tokenAndBody() (token string, body []byte, ok bool) {
	if token, ok = x.tokenParameter(); ok {
		body, ok = x.readBody()
	}
	return token, body, ok
}

// readBody reads the body of a request.
func (x *exchange) readBody() ([]byte, bool) {
	// A body that never ends ends all the same, and at once when the server stops.
	controller := http.NewResponseController(x.ResponseWriter)
	controller.SetReadDeadline(time.Now().Add(controlPatience))
	done := make(chan struct{})
	stop := context.AfterFunc(x.server.stopping, func() {
		defer close(done)
		controller.SetReadDeadline(time.Now())
	})
	body, err := io.ReadAll(http.MaxBytesReader(x.ResponseWriter, x.request.Body, controlBytes))
	switch {
	case !stop():
		<-done // since nothing may be done to a request that is over
	case err == nil: // or the server waits for the rest of the body after the answer
		controller.SetReadDeadline(time.Time{})
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		x.refuse(http.StatusRequestEntityTooLarge, fmt.Sprintf("The body is larger than %d MiB.", controlBytes>>20))
	case err != nil:
		x.refuse(http.StatusBadRequest, "The body cannot be read: "+err.Error()+".")
	default:
		return body, true
	}
	return nil, false
}
