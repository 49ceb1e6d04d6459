package fake_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

const (
	wholePut = "PUT /_fake/users?token=bob HTTP/1.1\r\nHost: localhost\r\n" +
		"Content-Length: 2\r\n\r\n{}"
	slowPut = "PUT /_fake/users?token=bob HTTP/1.1\r\nHost: localhost\r\n" +
		"Content-Length: 100\r\n\r\n{"
)

// sendRaw sends what a client writes, and returns where the status of the answer comes, 0 for none.
func sendRaw(t *testing.T, conn net.Conn, text string) <-chan int {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	status := make(chan int, 1)
	go func() {
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			status <- 0
			return
		}
		status <- response.StatusCode
	}()
	return status
}

// Pipes is a listener whose connections are pipes, which work in a bubble.
type pipes chan net.Conn

// serveOnPipes has another server call a handler until the test ends.
func serveOnPipes(t *testing.T, handler http.Handler) pipes {
	t.Helper()
	listener := make(pipes)
	t.Cleanup(func() { close(listener) })
	outer := &http.Server{Handler: handler}
	go outer.Serve(listener)
	return listener
}

func (p pipes) Accept() (net.Conn, error) {
	conn, isOpen := <-p
	if !isOpen {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

// dial connects to whoever accepts the connections.
func (p pipes) dial() net.Conn {
	client, server := net.Pipe()
	p <- server
	return client
}

// As a handler, a server does not own the connections of slow bodies. Close waits for none of
// them.
func TestCloseOfAHandlerWaitsForNoBody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := newHandler(t)
		listener := serveOnPipes(t, srv)
		first, second := listener.dial(), listener.dial()
		defer first.Close()
		defer second.Close()
		sendRaw(t, first, slowPut)
		synctest.Wait()
		sendRaw(t, second, slowPut)
		synctest.Wait()

		start := time.Now()
		srv.Close()
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("Close took %s", took)
		}
	})
}

// What is awaited when a server is closed ends without an answer, which would be wrong.
func TestCloseEndsWhatIsAwaited(t *testing.T) {
	t.Parallel()
	const call = "GET /_fake/requests?token=alice&await=1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
	for name, serve := range map[string]func(t *testing.T) (*fake.Server, net.Conn){
		"by its own listener": func(t *testing.T) (*fake.Server, net.Conn) {
			srv := fake.NewTestServer(t, fake.WithInMemory())
			return srv, dial(t, srv)
		},
		"as a handler": func(t *testing.T) (*fake.Server, net.Conn) {
			srv := newHandler(t)
			return srv, serveOnPipes(t, srv).dial()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv, conn := serve(t)
				defer conn.Close()
				status := sendRaw(t, conn, call)
				synctest.Wait()
				start := time.Now()
				go srv.Close()
				if got := <-status; got != 0 || time.Since(start) != 0 {
					t.Errorf("what is awaited is answered %d after %s", got, time.Since(start))
				}
			})
		})
	}
}

// A closed server says that it is closed.
func TestControlOfAClosedServer(t *testing.T) {
	t.Parallel()
	srv := newHandler(t)
	srv.Close()
	w := httptest.NewRecorder()
	srv.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/_fake/users", nil))
	if w.Code != 503 {
		t.Errorf("a closed server answers %d", w.Code)
	}
	expect(t, w.Body.String(), `"detail":"The server is closed."`)
}

// A deadlineWriter is a writer of answers that calls a hook when it gets its first deadline.
type deadlineWriter struct {
	*httptest.ResponseRecorder
	hasDeadline atomic.Bool
	hook        func()
}

func (w *deadlineWriter) SetReadDeadline(time.Time) error {
	if !w.hasDeadline.Swap(true) {
		w.hook()
	}
	return nil
}

// If a server is closed just before a call sets a deadline of its own, which puts off that of the
// end, the call is refused, and its body is not read.
func TestCloseBeforeADeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := newHandler(t)
		w := &deadlineWriter{
			ResponseRecorder: httptest.NewRecorder(),
			hook: func() {
				go srv.Close()
				synctest.Wait()
			},
		}
		body := strings.NewReader("{}")
		const target = "http://localhost/_fake/users?token=alice"
		srv.ServeHTTP(w, httptest.NewRequest("PUT", target, body))
		if w.Code != 503 || body.Len() != len("{}") {
			t.Errorf("it is answered %d, and %d bytes of its body are left", w.Code, body.Len())
		}
	})
}
