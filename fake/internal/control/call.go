package control

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/text"
)

const (
	// maxBody is how many bytes the body of a call may have.
	maxBody = 1 << 20

	// bodyTimeout is how long reading it may take.
	bodyTimeout = 10 * time.Second
)

// A call is one request to the control plane, and its answer.
type call struct {
	engine *engine.Engine
	w      http.ResponseWriter
	r      *http.Request
}

func (p *Plane) newCall(w http.ResponseWriter, r *http.Request) *call {
	return &call{engine: p.engine, w: w, r: r}
}

// startReading waits until no other call, and no reload, reads a body or fixtures: what is read
// takes many times its size in memory. Whoever has read and parsed a body calls endReading.
func (c *call) startReading() error {
	select {
	case c.engine.Reading <- struct{}{}:
		return nil
	case <-c.r.Context().Done():
		return engine.ErrClosed // or the client has gone away, and reads no answer
	}
}

func (c *call) endReading() {
	<-c.engine.Reading
}

// readBody reads the body of the call, for a limited time, since others wait.
func (c *call) readBody() ([]byte, error) {
	encoding := c.r.Header.Get("Content-Encoding")
	if encoding != "" && !strings.EqualFold(encoding, "identity") {
		return nil, refuse(http.StatusUnsupportedMediaType,
			"The body has the Content-Encoding %s; send it as it is, without that header.",
			words.Shorten(encoding))
	}
	http.NewResponseController(c.w).SetReadDeadline(time.Now().Add(bodyTimeout))
	// Close may have set a sooner deadline before, which the line above has put off.
	if c.engine.Stopping.Err() != nil {
		return nil, engine.ErrClosed
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, maxBody))
	if errors.As(err, new(*http.MaxBytesError)) {
		return nil, refuse(http.StatusRequestEntityTooLarge,
			"The body is larger than %d MiB.", maxBody>>20)
	}
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "The body cannot be read: %v.", err)
	}
	return body, nil
}

// An object is one of JSON.
type object = map[string]any

// encoded returns the JSON of a value that has one, with the end of a line for terminals.
func encoded(value any) []byte {
	body, err := text.AppendJSON(nil, value)
	if err != nil {
		panic(err)
	}
	return append(body, '\n')
}

// sendNothing answers that something was done. It returns nil, so that a handler can end with it.
func (c *call) sendNothing(status int) error {
	c.w.WriteHeader(status)
	return nil
}

// sendJSON answers with a value. It returns nil.
func (c *call) sendJSON(status int, value any) error {
	return c.send(status, "application/json", encoded(value))
}

// send answers with a body. It returns nil.
func (c *call) send(status int, contentType string, body []byte) error {
	c.setHeaders(contentType)
	c.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	c.w.WriteHeader(status)
	if c.r.Method != http.MethodHead {
		c.w.Write(body)
	}
	return nil
}

// setHeaders sets the headers of every answer with a body: clients must not guess the type, or
// cache the answer.
func (c *call) setHeaders(contentType string) {
	header := c.w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
}

// baseURL returns the base URL at which the client of the call reaches the service:
// with the host of the call.
func (c *call) baseURL() string {
	if c.r.Host == "" { // the call asks for health
		return c.engine.BaseURL()
	}
	scheme := "http://"
	if c.r.TLS != nil {
		scheme = "https://"
	}
	return scheme + c.r.Host + c.engine.InForce().BasePath
}
