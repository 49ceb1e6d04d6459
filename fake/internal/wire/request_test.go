package wire_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
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
	// If isGone is set, the client closes the connection when the time leaves has passed.
	isGone bool
	leaves time.Duration
	isCut  bool // Drain leaves a part of the body
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
		"half, and gone": {
			headers: "Content-Length: 8\r\n",
			body:    "body",
			isGone:  true,
		},
		"half, and going": {
			headers: "Content-Length: 8\r\n",
			body:    "body",
			leaves:  100 * time.Millisecond,
			isGone:  true,
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
		time.Sleep(time.Nanosecond) // until the client has done everything that needs no time
		d.drain(t, w, r)
	})}
	go server.Serve(listener)
	defer server.Shutdown(t.Context()) // Shutdown waits for connections that linger
	client, err := listener.DialContext(t.Context(), "tcp", wire.MemoryHost+":80")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	go func() {
		io.WriteString(client, "GET / HTTP/1.1\r\nHost: a.test\r\n"+d.headers+"\r\n"+d.body)
		if !d.isGone {
			return
		}
		time.Sleep(d.leaves)
		client.Close()
	}()
	response, err := http.ReadResponse(bufio.NewReader(client), nil)
	if (err != nil) != d.isGone {
		t.Fatalf("the client gets %+v, %v; want an answer unless it is gone: %t",
			response, err, d.isGone)
	}
	if !d.isGone && response.Close != d.isCut {
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
	isGone := wire.Drain(w, r)
	if took := time.Since(start); isGone != d.isGone || took > 500*time.Millisecond {
		t.Errorf("Drain returns %t after %s, want %t", isGone, took, d.isGone)
	}
	if d.isGone || d.isCut {
		return
	}
	time.Sleep(time.Hour)
	if err := r.Context().Err(); err != nil {
		t.Errorf("after an hour, the context of the request is done: %v", err)
	}
}

// A client that resets its connection is gone, too.
func TestDrainOfAReset(t *testing.T) {
	t.Parallel()
	begun, drained := make(chan bool), make(chan bool)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun <- true
		drained <- wire.Drain(w, r)
	}))
	defer server.Close()
	client, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(client, "GET / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 8\r\n\r\nbody")
	<-begun
	client.(*net.TCPConn).SetLinger(0)
	client.Close()
	if !<-drained {
		t.Error("Drain does not notice that the client is gone")
	}
}

// Of HTTP/2 nothing is read: net/http notices by itself that a client has gone away.
func TestDrainOfHTTP2(t *testing.T) {
	t.Parallel()
	handler := func(w http.ResponseWriter, r *http.Request) {
		isGone := wire.Drain(w, r)
		body, err := io.ReadAll(r.Body)
		if isGone || string(body) != "body" || err != nil {
			t.Errorf("Drain returns %t, and of the body %q is left, and then %v", isGone, body, err)
		}
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(handler))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	response, err := server.Client().Post(server.URL, "text/plain", strings.NewReader("body"))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.ProtoMajor != 2 {
		t.Errorf("the protocol is %s", response.Proto)
	}
}
