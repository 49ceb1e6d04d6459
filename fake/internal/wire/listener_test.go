package wire_test

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"syscall"
	"testing"

	"example.com/campaignfake/fake/internal/wire"
)

// listen makes a listener on a port with room for so many connections, which hands refused
// requests to a channel.
func listen(t *testing.T, most int) (l net.Listener, refused chan string) {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused = make(chan string, 10)
	return wire.Listen(inner, most, new(sync.WaitGroup), func(_ net.Addr, line string) { refused <- line }), refused
}

// serve answers requests of a listener until the test ends.
func serve(t *testing.T, l net.Listener, handler http.HandlerFunc) {
	t.Helper()
	server := &http.Server{Handler: handler, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelWarn)}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// At the limit a further connection waits until another one is closed, and then is served.
func TestConnectionsBeyondTheLimitWait(t *testing.T) {
	t.Parallel()
	const most = 3
	l, _ := listen(t, most)
	entered, leave := make(chan struct{}, 3*most), make(chan struct{})
	serve(t, l, func(w http.ResponseWriter, _ *http.Request) {
		entered <- struct{}{}
		<-leave
		w.Header().Set("Connection", "close")
	})
	answers := make(chan error)
	for range 2 * most {
		go func() {
			response, err := http.Get("http://" + l.Addr().String())
			if err == nil {
				response.Body.Close()
			}
			answers <- err
		}()
	}
	for range most {
		<-entered
	}
	select {
	case <-entered:
		t.Error("a connection beyond the limit is served")
	default:
	}
	close(leave)
	for range 2 * most {
		if err := <-answers; err != nil {
			t.Error(err)
		}
	}
}

// A listener that waits for room can be closed.
func TestCloseOfAFullListener(t *testing.T) {
	t.Parallel()
	l, _ := listen(t, 1)
	dial(t, l.Addr().String())
	first, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	done := make(chan error)
	go func() {
		_, err := l.Accept()
		done <- err
	}()
	l.Close()
	if err := <-done; !errors.Is(err, net.ErrClosed) {
		t.Errorf("Accept returns %v", err)
	}
}

// TCP is reset, and a connection in memory closed.
func TestReset(t *testing.T) {
	t.Parallel()
	reset := func(w http.ResponseWriter, _ *http.Request) { wire.Reset(w) }
	const request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
	l, _ := listen(t, 10)
	serve(t, l, reset)
	client := dial(t, l.Addr().String())
	io.WriteString(client, request)
	if got, err := io.ReadAll(client); len(got) > 0 || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the client reads %q, %v", got, err)
	}
	memory := wire.NewMemoryListener()
	serve(t, memory, reset)
	client, err := memory.DialContext(t.Context(), "tcp", memoryAddress)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(client, request)
	if got, err := io.ReadAll(client); len(got) > 0 || err != nil {
		t.Errorf("in memory, the client reads %q, %v", got, err)
	}
}
