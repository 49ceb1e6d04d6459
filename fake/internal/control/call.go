package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
)

// What all calls of the control plane have in common: reading a body, and answering.

const (
	// maxBody is how many bytes the body of a request to the control plane may have.
	maxBody = 1 << 20

	// bodyTimeout is how long reading it may take.
	bodyTimeout = 10 * time.Second

	// controlPath is the path of the page, and everything else is below it. healthPath
	// exists even if the control plane is off.
	controlPath = "/_fake/"
	healthPath  = controlPath + "health"
)

// A call is one request to the control plane, and its answer.
type call struct {
	http.ResponseWriter
	plane *Plane
	r     *http.Request
	query parameters
}

// An object is one of JSON.
type object = map[string]any

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
func (c *call) json(status int, value any) error {
	return c.send(status, "application/json", encoded(value))
}

// send sends an answer. It returns nil.
func (c *call) send(status int, contentType string, body []byte) error {
	c.uncached(contentType)
	c.Header().Set("Content-Length", strconv.Itoa(len(body)))
	c.WriteHeader(status)
	if c.r.Method != http.MethodHead {
		c.Write(body)
	}
	return nil
}

// done answers that something was done, or returns why it was not.
func (c *call) done(status int, err error) error {
	if err == nil {
		c.WriteHeader(status)
	}
	return err
}

// change reads the body of the call, and calls a function that changes the server by it. One
// body at a time is read and parsed, since the values take many times its memory, and for a
// limited time, since others wait. When the server is closed, nothing is read.
func (c *call) change(apply func(in *plan.Snapshot, body []byte) error) error {
	select {
	case c.plane.Reading <- struct{}{}:
		defer func() { <-c.plane.Reading }()
	case <-c.r.Context().Done():
		return c.r.Context().Err()
	case <-c.plane.Stopping.Done():
	}
	http.NewResponseController(c.ResponseWriter).SetReadDeadline(time.Now().Add(bodyTimeout))
	if c.plane.Stopping.Err() != nil { // perhaps since before the deadline
		return engine.ErrClosed
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.ResponseWriter, c.r.Body, maxBody))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return refuse(http.StatusRequestEntityTooLarge, "The body is larger than %d MiB.", maxBody>>20)
	case err != nil:
		return refuse(http.StatusBadRequest, "The body cannot be read: %v.", err)
	}
	return apply(c.plane.InForce(), body)
}

// baseURL returns the base URL at which the client of the call reaches the service:
// with the host of the call.
func (c *call) baseURL() string {
	host := c.r.Host
	if host == "" { // the call asks for health
		return c.plane.BaseURL()
	}
	scheme := "http://"
	if c.r.TLS != nil {
		scheme = "https://"
	}
	return scheme + host + c.plane.InForce().BasePath
}
