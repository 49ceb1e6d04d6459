package wire_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// A drained is a request whose body Drain reads.
type drained struct {
	headers, body string
	before        func(io.ReadCloser) // called with the body before Drain, if not nil
	isCut         bool                // Drain leaves a part of the body
}

// A body is read before the answer, but not for long, and not if it is large. This test uses no
// test server, which closes every connection: Drain itself has to close a connection with an unread
// body.
func TestDrain(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]drained{
		"a body": {
			headers: "Content-Length: 4\r\n",
			body:    "body",
		},
		"a body that was read": {
			headers: "Content-Length: 4\r\n",
			body:    "body",
			before:  func(body io.ReadCloser) { io.Copy(io.Discard, body) },
		},
		"no chunk": {
			headers: "Transfer-Encoding: chunked\r\n",
			body:    "what?\r\n",
			isCut:   true,
		},
		"half a body": {
			headers: "Content-Length: 8\r\n",
			body:    "body",
			isCut:   true,
		},
		"8 MiB": {
			headers: "Content-Length: 8388608\r\n",
			body:    strings.Repeat("x", 8<<20),
		},
		"more than 8 MiB": {
			headers: "Content-Length: 8388609\r\n",
			body:    strings.Repeat("x", 8<<20+1),
			isCut:   true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, tt.run)
		})
	}
}

// run sends the request to a server that drains it, and then waits with its answer.
func (d drained) run(t *testing.T) {
	listener := wire.NewMemoryListener()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.drain(t, w, r)
	})}
	go server.Serve(listener)
	defer server.Shutdown(t.Context()) // Shutdown waits for connections that linger
	client, err := listener.DialContext(t.Context(), "tcp", wire.MemoryHost+":80")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	go io.WriteString(client, "GET / HTTP/1.1\r\nHost: a.test\r\n"+d.headers+"\r\n"+d.body)
	response, err := http.ReadResponse(bufio.NewReader(client), nil)
	if err != nil {
		t.Fatal(err)
	}
	if response.Close != d.isCut {
		t.Errorf("that the answer closes the connection is %t, want %t", response.Close, d.isCut)
	}
}

// drain calls Drain in the handler of the request. After a body was read, no deadline may be left:
// the request goes on for longer than the time limit of a body.
func (d drained) drain(t *testing.T, w http.ResponseWriter, r *http.Request) {
	if d.before != nil {
		d.before(r.Body)
	}
	start := time.Now()
	wire.Drain(w, r)
	if took := time.Since(start); took > 500*time.Millisecond {
		t.Errorf("Drain takes %s", took)
	}
	if d.isCut {
		return
	}
	time.Sleep(time.Hour)
	if err := r.Context().Err(); err != nil {
		t.Errorf("after an hour, the context of the request is done: %v", err)
	}
}
