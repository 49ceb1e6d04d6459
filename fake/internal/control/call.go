package control

import (
	"net/http"
	"strconv"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fixtures/text"
)

// A call is one request to the control plane, and its answer.
type call struct {
	engine *engine.Engine
	w      http.ResponseWriter
	r      *http.Request
}

func (p *Plane) newCall(w http.ResponseWriter, r *http.Request) *call {
	return &call{
		engine: p.engine,
		w:      w,
		r:      r,
	}
}

// An object is a JSON object.
type object = map[string]any

// encoded returns a value as JSON, with a newline at the end for terminals. It panics if JSON
// cannot carry the value. This does not happen, since JSON can carry every value of this package.
func encoded(value any) []byte {
	body, err := text.AppendJSON(nil, value)
	if err != nil {
		panic(err)
	}
	return append(body, '\n')
}

// sendNothing answers with a status and no body. It returns nil, so that a handler can end with
// "return c.sendNothing(status)".
func (c *call) sendNothing(status int) error {
	c.w.WriteHeader(status)
	return nil
}

// sendJSON answers with a value as JSON. It returns nil.
func (c *call) sendJSON(status int, value any) error {
	return c.send(status, "application/json", encoded(value))
}

// send answers with a body, and leaves the body out for HEAD. It returns nil.
func (c *call) send(status int, contentType string, body []byte) error {
	c.setHeaders(contentType)
	c.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	c.w.WriteHeader(status)
	if c.r.Method != http.MethodHead {
		c.w.Write(body)
	}
	return nil
}

// setHeaders sets the headers of every answer with a body. They forbid clients to guess the type of
// the body, and to cache the answer.
func (c *call) setHeaders(contentType string) {
	header := c.w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
}

// baseURL returns the base URL of the service, such as http://localhost:8642/api. It has the host
// of the call, so the client of the call can use it.
func (c *call) baseURL() string {
	scheme := "http://"
	if c.r.TLS != nil {
		scheme = "https://"
	}
	return scheme + c.r.Host + c.engine.InForce().BasePath
}
