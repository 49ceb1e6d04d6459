package wire

import (
	"context"
	"io"
	"maps"
	"net/http"
	"sync"
	"time"
)

// Bodies are the bodies of answers that a client has received over HTTP without TLS, and
// neither closed nor read to the end. Each keeps a connection, and in a testing/synctest
// bubble the bubble, from ending.
type Bodies struct {
	transport *http.Transport
	mu        sync.Mutex
	open      map[*openBody]struct{}
}

// WatchBodies makes a transport note the bodies of its answers.
func WatchBodies(transport *http.Transport) *Bodies {
	b := &Bodies{transport: transport, open: make(map[*openBody]struct{})}
	transport.RegisterProtocol("http", b)
	return b
}

// watched is the key of contexts whose requests pass through RoundTrip again.
type watched struct{}

// RoundTrip is called by the transport for each request. It has the transport send the
// request after all, and notes the body of the answer.
func (b *Bodies) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Context().Value(watched{}) != nil {
		return nil, http.ErrSkipAltProtocol
	}
	response, err := b.transport.RoundTrip(r.WithContext(context.WithValue(r.Context(), watched{}, true)))
	if err != nil {
		return nil, err
	}
	response.Request = r
	if response.Body != http.NoBody {
		body := &openBody{ReadCloser: response.Body, of: b, request: r}
		response.Body = body
		b.mu.Lock()
		defer b.mu.Unlock()
		b.open[body] = struct{}{}
	}
	return response, nil
}

type openBody struct {
	io.ReadCloser
	of      *Bodies
	request *http.Request
}

func (o *openBody) Read(into []byte) (int, error) {
	n, err := o.ReadCloser.Read(into)
	if err != nil {
		o.done()
	}
	return n, err
}

func (o *openBody) Close() error {
	o.done()
	return o.ReadCloser.Close()
}

func (o *openBody) done() {
	o.of.mu.Lock()
	defer o.of.mu.Unlock()
	delete(o.of.open, o)
}

// End returns the requests that are selected and whose answers have an open body, when
// their test ends. Without a transport there are none. In a bubble it closes the bodies,
// because the bubble could not end otherwise; but first it lets other goroutines read what
// they are reading.
func (b *Bodies) End(selected func(*http.Request) bool) (left []*http.Request) {
	if b == nil {
		return nil
	}
	bubble := InBubble()
	if bubble {
		time.Sleep(time.Millisecond) // which ends when nobody in the bubble can go on
	}
	b.mu.Lock()
	open := maps.Clone(b.open)
	b.mu.Unlock()
	for body := range open {
		if !selected(body.request) {
			continue
		}
		if left = append(left, body.request); bubble {
			body.Close()
		}
	}
	return left
}
