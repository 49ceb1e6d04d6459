package wire_test

import (
	"errors"
	"net"
	"net/http"
	"testing"

	"example.com/campaignfake/fake/internal/wire"
)

// listen makes a listener on a port with room for so many connections.
func listen(t *testing.T, most int) net.Listener {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return wire.Listen(inner, most, nil)
}

// At the limit a further connection waits until another one is closed, and then is served.
func TestConnectionsBeyondTheLimitWait(t *testing.T) {
	t.Parallel()
	const most = 3
	l := listen(t, most)
	entered, leave := make(chan struct{}, 3*most), make(chan struct{})
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		entered <- struct{}{}
		<-leave
		w.Header().Set("Connection", "close")
	})}
	go server.Serve(l)
	defer server.Close()
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
	l := listen(t, 1)
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
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
