package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
)

// What all calls of the control plane have in common: reading parameters and bodies,
// and answering.

const (
	// controlTimeout is how long the body of a request to the control plane may take to
	// arrive.
	controlTimeout = 30 * time.Second

	// maxBody is how many bytes it may have.
	maxBody = 1 << 20

	// controlPath is the path of the page, and everything else is below it. healthPath
	// exists even if the control plane is off.
	controlPath = "/_fake/"
	healthPath  = controlPath + "health"
)

// A call is one request to the control plane, and its answer.
type call struct {
	http.ResponseWriter
	plane  *Plane
	r      *http.Request
	flight engine.InFlight
	query  parameters
	unread bool // the call is refused before its body has been read
}

// Unwrap is for http.ResponseController.
func (c *call) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// uncached sets the headers of every answer of the control plane: clients must not
// guess the type, or cache the answer.
func (c *call) uncached(contentType string) {
	header := c.Header()
	header.Set("Content-Type", contentType)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
}

// encoded returns the JSON of a value that has one, with the end of a line for terminals.
func encoded(value any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return text.Bytes()
}

// json answers with a value. It returns nil, so that a handler can end with it.
func (c *call) json(value any) error {
	return c.send(http.StatusOK, "application/json", encoded(value))
}

// send sends an answer. It returns nil.
func (c *call) send(status int, contentType string, body []byte) error {
	c.uncached(contentType)
	c.WriteHeader(status)
	if c.r.Method != http.MethodHead {
		c.Write(body)
	}
	return nil
}

// noContent answers that something was done. It returns nil.
func (c *call) noContent() error {
	c.WriteHeader(http.StatusNoContent)
	return nil
}

// change reads the body of the call, and calls a function that changes the server by it. Only
// a few calls hold a body at the same time. The others wait. Of these few, one at a time parses
// its body, since the values take many times the memory of the body.
func (c *call) change(apply func(in *plan.Snapshot, body []byte) error) error {
	select {
	case c.plane.bodies <- struct{}{}:
		defer func() { <-c.plane.bodies }()
	case <-c.r.Context().Done():
		panic(http.ErrAbortHandler) // the client has gone away, or the server is being closed
	}
	body, err := c.readBody()
	if err != nil {
		return err
	}
	c.plane.Reading.Lock()
	defer c.plane.Reading.Unlock()
	return apply(c.plane.InForce(), body)
}

// readBody reads the body of the call, for a limited time. After an error the deadline
// stays, so that net/http does not wait for the rest.
func (c *call) readBody() ([]byte, error) {
	controller := http.NewResponseController(c.ResponseWriter)
	c.plane.SetDeadline(controller.SetReadDeadline, time.Now().Add(controlTimeout))
	err := error(&http.MaxBytesError{Limit: maxBody})
	var body bytes.Buffer
	if c.r.ContentLength <= maxBody {
		body.Grow(int(max(c.r.ContentLength, 0)) + bytes.MinRead) // or it would grow by doubling
		_, err = body.ReadFrom(http.MaxBytesReader(nil, c.r.Body, maxBody))
	}
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		c.unread = true
		return nil, refuse(http.StatusRequestEntityTooLarge, "The body is larger than %d MiB.", maxBody>>20)
	case err != nil:
		return nil, refuse(http.StatusBadRequest, "The body cannot be read: %v.", err)
	}
	c.plane.SetDeadline(controller.SetReadDeadline, time.Time{})
	return body.Bytes(), nil
}

func (c *call) noUser(token string) error {
	near := advice.NearToken(token, c.plane.Tokens())
	if near != "" {
		near = " Did you mean " + words.Shorten(near) + "?"
	}
	return refuse(http.StatusNotFound, "No user has the token %q.%s GET /_fake/users lists the users.%s",
		words.Shorten(token), near, c.aboutPlus(token))
}

// aboutPlus explains a token with a space that was sent as a plus, which is a common
// mistake. It returns "" for other tokens.
func (c *call) aboutPlus(token string) string {
	if !strings.Contains(token, " ") || !strings.Contains(c.r.URL.RawQuery, "+") {
		return ""
	}
	return " In a query + stands for a space; send a + of the token as %2B."
}

// baseURL returns the base URL at which the client of the call reaches the service:
// with the host of the call.
func (c *call) baseURL() string {
	host := c.r.Host
	if host == "" { // the call asks for health
		return c.plane.BaseURL()
	}
	scheme := "http://"
	if c.plane.Config.Secured() || c.r.TLS != nil {
		scheme = "https://"
	}
	return scheme + host + c.plane.InForce().BasePath
}
