package fake

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fixtures"
)

// What all calls of the control plane have in common: reading parameters and bodies,
// and answering.

const (
	// controlTimeout is how long the body of a request to the control plane may take to
	// arrive.
	controlTimeout = 30 * time.Second

	// controlPath is the path of the page, and everything else is below it. healthPath
	// exists even if the control plane is off.
	controlPath = "/_fake/"
	healthPath  = controlPath + "health"
)

// A call is one request to the control plane, and its answer.
type call struct {
	http.ResponseWriter
	server *Server
	r      *http.Request
	own    bool // the handler is that of Control
	flight inFlight
	held   int64 // bytes that leave gives back
}

// Unwrap is for http.ResponseController.
func (c *call) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// refuse answers with a problem document.
func (c *call) refuse(status int, detail string) {
	if c.r.Close { // net/http would close the connection with the body unread, and the answer would be lost
		wire.Drain(c.ResponseWriter, c.r)
	}
	c.problem(newProblem(status, detail))
}

// uncached sets the headers of every answer of the control plane: clients must not
// guess the type, or cache the answer.
func (c *call) uncached(contentType string) {
	header := c.Header()
	header.Set("Content-Type", contentType)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
}

// refuseBody answers a body that cannot be used, and lists every mistake in it.
func (c *call) refuseBody(err error) {
	document := newProblem(http.StatusBadRequest, err.Error())
	var mistakes *fixtures.Mistakes
	if errors.As(err, &mistakes) {
		document.Detail = sentence(counted(len(mistakes.List)+mistakes.More, "mistake")) + " The first: " + mistakes.List[0].String()
		document.Mistakes, document.More = mistakes.List, mistakes.More
		if several, ok := err.(interface{ Unwrap() []error }); ok {
			for _, other := range several.Unwrap() {
				if !errors.As(other, &mistakes) {
					document.Detail += " Also: " + other.Error()
				}
			}
		}
	}
	document.Detail += c.aboutPlus(c.r.URL.Query().Get("token"))
	c.problem(document)
}

// problem answers a call that is refused.
func (c *call) problem(document problemDocument) {
	c.logRefusal(document)
	c.send(document.Status, "application/problem+json", marshaled(document))
}

// logRefusal logs a refused change, since a suite may not look at the answer, and a
// refused origin or host, since browsers show nobody the answer to a preflight. A failed
// reload has its own lines. Tokens without a user are masked.
func (c *call) logRefusal(document problemDocument) {
	log := c.server.config.logger
	if log == nil || c.r.URL.Path == controlPath+"reload" || !c.changes() && document.Status != http.StatusForbidden {
		return
	}
	reason := document.Detail
	if token := c.r.URL.Query().Get("token"); token != "" && !c.server.state.user(token).known {
		reason = strings.ReplaceAll(reason, token, mask(token))
	}
	log.LogAttrs(c.r.Context(), slog.LevelWarn, "a request to the control plane was refused",
		slog.String("method", shorten(c.r.Method)), slog.String("path", shorten(c.r.URL.Path)), slog.Int("status", document.Status),
		slog.String("host", shorten(c.r.Host)), slog.String("origin", shorten(c.r.Header.Get("Origin"))), slog.String("reason", reason))
}

// json answers with a value.
func (c *call) json(value any) { c.send(http.StatusOK, "application/json", marshaled(value)) }

// jsonOf answers with a value that may be large.
func (c *call) jsonOf(value func() any) {
	c.sendLarge(http.StatusOK, "application/json", func() ([]byte, error) { return marshaled(value()), nil })
}

// sendLarge sends an answer that may be large.
func (c *call) sendLarge(status int, contentType string, compose func() ([]byte, error)) {
	switch body, err := c.inTurn(compose); {
	case err == errBusy:
		c.refuseBusy()
	case err != nil:
		c.refuse(http.StatusInsufficientStorage, sentence(err.Error()))
	default:
		c.send(status, contentType, body)
	}
}

// inTurn composes an answer. If the memory has a limit, that is done for one at a time,
// since it takes many times the size of the answer, whose memory is then held. It fails
// with errBusy if too many wait, or if there is no room, unless something has been
// changed already.
func (c *call) inTurn(compose func() ([]byte, error)) ([]byte, error) {
	s := c.server
	if s.config.limits.Memory == 0 {
		return compose()
	}
	defer s.composers.Add(-1)
	if s.composers.Add(1) > maxComposers && !c.changes() {
		return nil, errBusy
	}
	s.composing.Lock()
	defer s.composing.Unlock()
	body, err := compose()
	if err == nil && len(body) > answerPiece && !c.hold(int64(len(body))) && !c.changes() {
		err = errBusy
	}
	return body, err
}

// changes reports whether the call changes something.
func (c *call) changes() bool { return c.r.Method != http.MethodGet && c.r.Method != http.MethodHead }

// marshaled returns the JSON of an answer, which can always be encoded.
func marshaled(value any) []byte {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	encoder.Encode(value)
	return body.Bytes()
}

// send sends an answer. The client of a large one has so long to read each piece, since
// the answer is in memory until then.
func (c *call) send(status int, contentType string, body []byte) {
	c.uncached(contentType)
	c.WriteHeader(status)
	switch {
	case c.r.Method == http.MethodHead:
	case len(body) <= answerPiece:
		c.Write(body)
	default:
		c.writeInTime(body)
	}
}

// writeInTime writes text piece by piece, and fails if the client does not read one in
// time. The deadline is removed again: over HTTP/2 it would end the stream even while
// nothing is written.
func (c *call) writeInTime(text []byte) error {
	for piece := range slices.Chunk(text, answerPiece) {
		c.server.state.setWriteDeadline(&c.flight, time.Now().Add(answerTimeout))
		if _, err := c.Write(piece); err != nil {
			return err
		}
		if err := http.NewResponseController(c.ResponseWriter).Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return err
		}
	}
	c.server.state.setWriteDeadline(&c.flight, time.Time{})
	return nil
}

// requiredToken returns the token of a call that has no other parameter.
func (c *call) requiredToken() (token string, ok bool) {
	p := c.parameters("token")
	token = p.requiredToken()
	return token, !p.refused
}

// tokenAndBody returns the token and the body of a call that needs both.
func (c *call) tokenAndBody() (token string, body []byte, ok bool) {
	if token, ok = c.requiredToken(); ok {
		body, ok = c.readBody()
	}
	return token, body, ok
}

// readBody reads the body of a request.
func (c *call) readBody() ([]byte, bool) {
	// The deadline ends a body that never ends, and moves up if the server is closed.
	controller := http.NewResponseController(c.ResponseWriter)
	controller.SetReadDeadline(time.Now().Add(controlTimeout))
	done := make(chan struct{})
	stop := context.AfterFunc(c.server.stopping, func() {
		defer close(done)
		controller.SetReadDeadline(time.Now())
	})
	body, err := c.readAll()
	switch {
	case !stop():
		<-done // the deadline must not be set after the handler has returned
	case err == nil: // after an error the deadline stays, so that net/http does not wait for the rest
		controller.SetReadDeadline(time.Time{})
	}
	switch {
	case err == errBusy:
		c.refuseUnread(c.refuseBusy)
	case err == errLarge:
		limits := c.server.config.limits
		c.refuseUnread(func() {
			c.refuse(http.StatusRequestEntityTooLarge, fmt.Sprintf("The body is larger than %s%s.", inBytes(int64(limits.Body)), limits.of()))
		})
	case err != nil:
		c.refuse(http.StatusBadRequest, "The body cannot be read: "+err.Error()+".")
	default:
		return body, true
	}
	return nil, false
}

func (c *call) refuseNoUser(token string) {
	near := nearToken(token, c.server.state.tokens())
	if near != "" {
		near = " Did you mean " + shorten(near) + "?"
	}
	c.refuse(http.StatusNotFound, fmt.Sprintf("No user has the token %q.%s GET /_fake/users lists the users.", shorten(token), near)+c.aboutPlus(token))
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
// with the host of the call, and the port of the service.
func (c *call) baseURL() string {
	host := c.r.Host
	if listener := c.server.listener.Load(); c.own && listener != nil {
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if _, port, err := net.SplitHostPort(addressOf(*listener)); err == nil {
			host = net.JoinHostPort(host, port)
		}
	}
	scheme := "http://"
	if c.server.config.secured() || c.r.TLS != nil {
		scheme = "https://"
	}
	return scheme + host + c.server.state.inForce().service.BasePath
}
