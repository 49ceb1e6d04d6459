package wire

import (
	"io"
	"net/http"
	"sync"
)

// A Transport sends requests by its inner transport, and notes which bodies of answers are still
// open. If a client never closes a body, a goroutine of the inner transport waits for ever, and so
// does a testing/synctest bubble. CloseBodies ends this wait.
type Transport struct {
	inner http.RoundTripper

	mu   sync.Mutex
	open map[*body]bool
}

// NewTransport makes a Transport that sends requests by the argument `inner`.
func NewTransport(inner http.RoundTripper) *Transport {
	return &Transport{
		inner: inner,
		open:  make(map[*body]bool),
	}
}

// RoundTrip sends a request, and returns the answer.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.inner.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusSwitchingProtocols {
		return response, nil // the body is an upgraded connection, and the client also writes to it
	}
	b := &body{ReadCloser: response.Body, of: t}
	response.Body = b
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open[b] = true
	return response, nil
}

// CloseBodies closes all bodies that are open. A client that still reads a body gets an error.
func (t *Transport) CloseBodies() {
	t.mu.Lock()
	open := t.open
	t.open = make(map[*body]bool)
	t.mu.Unlock()
	for b := range open {
		b.ReadCloser.Close()
	}
}

// A body is the body of an answer. Its transport knows whether it is open.
type body struct {
	io.ReadCloser
	of *Transport
}

// Close closes the body, and tells the transport.
func (b *body) Close() error {
	b.of.mu.Lock()
	delete(b.of.open, b)
	b.of.mu.Unlock()
	return b.ReadCloser.Close()
}
