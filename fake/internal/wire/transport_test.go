package wire_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/campaignfake/fake/internal/wire"
)

// serveText serves a long text in memory, and returns a transport to it. The text of /endless has
// no end. All ends with the test.
func serveText(t *testing.T) *wire.Transport {
	t.Helper()
	listener := wire.NewMemoryListener()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, strings.Repeat("x", 100_000))
		if r.URL.Path == "/endless" {
			<-r.Context().Done()
		}
	})}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	return wire.NewTransport(&http.Transport{
		DialContext:       listener.DialContext,
		DisableKeepAlives: true,
	})
}

// get sends a request, whose answer it returns.
func get(
	ctx context.Context, t *testing.T, transport *wire.Transport, path string,
) (*http.Request, *http.Response) {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, "GET", "http://"+wire.MemoryHost+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	return request, response
}

// Bodies that a client leaves open are closed, so that a bubble can end.
func TestTransportClosesBodies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		transport := serveText(t)
		var left []*http.Response
		for range 3 {
			request, response := get(t.Context(), t, transport, "/")
			if response.Request != request {
				t.Error("the answer is to another request")
			}
			left = append(left, response)
		}
		transport.CloseBodies()
		for _, response := range left {
			if text, err := io.ReadAll(response.Body); err == nil {
				t.Errorf("when it is closed, a body of %d bytes is read to its end", len(text))
			}
			response.Body.Close() // does no harm
		}
	})
}

// Bodies are read and closed as with any transport, and end with the context of the request.
func TestTransportLetsBodiesBeRead(t *testing.T) {
	t.Parallel()
	transport := serveText(t)
	_, response := get(t.Context(), t, transport, "/")
	text, err := io.ReadAll(response.Body)
	if len(text) != 100_000 || err != nil {
		t.Errorf("%d bytes are read, and then %v", len(text), err)
	}
	if err := response.Body.Close(); err != nil {
		t.Errorf("closing the body returns %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, response = get(ctx, t, transport, "/endless")
	cancel()
	if _, err := io.ReadAll(response.Body); !errors.Is(err, context.Canceled) {
		t.Errorf("when its context is done, the body ends with %v", err)
	}
	response.Body.Close()
	if text, err := io.ReadAll(response.Body); err == nil {
		t.Errorf("when it is closed, a body of %d bytes is read to its end", len(text))
	}
}

// A countedBody counts how often it is closed.
type countedBody struct {
	io.Reader
	closed *int
}

func (b countedBody) Close() error {
	*b.closed++
	return nil
}

// answering is a transport that answers each request by itself.
type answering func(*http.Request) *http.Response

func (answer answering) RoundTrip(r *http.Request) (*http.Response, error) { return answer(r), nil }

// A body is closed once: by the client, or else at the end.
func TestTransportClosesBodiesOnce(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(transport *wire.Transport, body io.Closer){
		"by the client": func(_ *wire.Transport, body io.Closer) { body.Close() },
		"at the end":    func(transport *wire.Transport, _ io.Closer) { transport.CloseBodies() },
	} {
		closed := 0
		transport := wire.NewTransport(answering(func(r *http.Request) *http.Response {
			return &http.Response{Request: r, Body: countedBody{strings.NewReader("text"), &closed}}
		}))
		_, response := get(t.Context(), t, transport, "/")
		act(transport, response.Body)
		transport.CloseBodies()
		if closed != 1 {
			t.Errorf("%s: the body was closed %d times", name, closed)
		}
	}
}

// The body of an answer that changes the protocol is the connection, to which the client writes.
func TestTransportLeavesUpgradedConnections(t *testing.T) {
	t.Parallel()
	type connection struct {
		io.ReadCloser
		io.Writer
	}
	transport := wire.NewTransport(answering(func(*http.Request) *http.Response {
		return &http.Response{
			StatusCode: http.StatusSwitchingProtocols,
			Body:       connection{http.NoBody, io.Discard},
		}
	}))
	_, response := get(t.Context(), t, transport, "/")
	defer response.Body.Close()
	_, isWriter := response.Body.(io.Writer)
	if !isWriter {
		t.Errorf("the client cannot write to the connection, which is a %T", response.Body)
	}
}

// An error of the other transport is returned as it is.
func TestTransportReturnsErrors(t *testing.T) {
	t.Parallel()
	transport := serveText(t)
	request, err := http.NewRequest("GET", "http://elsewhere.test/", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := transport.RoundTrip(request)
	if err == nil || !strings.Contains(err.Error(), "reaches campaignfake.test alone") ||
		response != nil {
		t.Errorf("another host is answered %v, %v", response, err)
	}
}
