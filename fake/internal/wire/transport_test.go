package wire_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/campaignfake/fake/internal/wire"
)

// Bodies that a client leaves open are closed, so that a bubble can end.
func TestTransportClosesBodies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		listener := wire.NewMemoryListener()
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, strings.Repeat("x", 100_000))
		})}
		go server.Serve(listener)
		defer server.Close()
		transport := wire.NewTransport(&http.Transport{
			DialContext:       listener.DialContext,
			DisableKeepAlives: true,
		})
		var left []*http.Response
		for range 3 {
			left = append(left, get(t, transport))
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

// get sends a request, whose answer it returns.
func get(t *testing.T, transport *wire.Transport) *http.Response {
	t.Helper()
	response, err := transport.RoundTrip(httptest.NewRequest("GET", "http://"+wire.MemoryHost, nil))
	if err != nil {
		t.Fatal(err)
	}
	return response
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
		response := get(t, transport)
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
	response := get(t, transport)
	defer response.Body.Close()
	_, isWriter := response.Body.(io.Writer)
	if !isWriter {
		t.Errorf("the client cannot write to the connection, which is a %T", response.Body)
	}
}
