package wire_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// connect returns both ends of a TCP connection.
func connect(t *testing.T) (client, server net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client = dial(t, l.Addr().String())
	server, err = l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return client, server
}

// A wrapper announces its end when it is closed, as TLS does.
type wrapper struct{ net.Conn }

func (w wrapper) NetConn() net.Conn { return w.Conn }

func (w wrapper) Close() error {
	io.WriteString(w.Conn, "the end")
	return w.Conn.Close()
}

func TestReset(t *testing.T) {
	t.Parallel()
	client, server := connect(t)
	wire.Reset(wrapper{wrapper{server}})
	if got, err := io.ReadAll(client); len(got) > 0 || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the client reads %q, %v", got, err)
	}
	client, server = net.Pipe()
	wire.Reset(server)
	if got, err := io.ReadAll(client); len(got) > 0 || err != nil {
		t.Errorf("in memory, the client reads %q, %v", got, err)
	}
}

// The client has sent what nobody reads, and gets everything all the same.
func TestFinish(t *testing.T) {
	t.Parallel()
	client, server := connect(t)
	io.WriteString(client, "a body")
	io.WriteString(server, "an answer")
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		wire.Finish(context.Background(), server)
	}()
	if got, err := io.ReadAll(client); err != nil || string(got) != "an answer" {
		t.Errorf("the client reads %q, %v", got, err)
	}
	client.Close()
	<-finished
	if _, err := server.Write([]byte("more")); !errors.Is(err, net.ErrClosed) {
		t.Errorf("after Finish a write fails with %v", err)
	}
}

// A halfClosed connection in memory has a sending side to close.
type halfClosed struct{ net.Conn }

func (halfClosed) CloseWrite() error { return nil }

// A client that does not close its side is waited for, but not for long, and not
// beyond the context.
func TestFinishWithoutTheClient(t *testing.T) {
	t.Parallel()
	for _, limit := range []time.Duration{0, 200 * time.Millisecond, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			client, server := net.Pipe()
			defer client.Close()
			start := time.Now()
			wire.Finish(ctx, halfClosed{server})
			if waited, want := time.Since(start), min(limit, 500*time.Millisecond); waited != want {
				t.Errorf("with a context of %s it takes %s, want %s", limit, waited, want)
			}
		})
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(client net.Conn, cancel func()){
		"the client closes":     func(client net.Conn, _ func()) { client.Close() },
		"the context is done":   func(_ net.Conn, cancel func()) { cancel() },
		"the client says more":  func(client net.Conn, _ func()) { io.WriteString(client, "more"); client.Close() },
		"the client is no more": func(client net.Conn, _ func()) { wire.Reset(client) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			client, server := connect(t)
			watched := wire.Watch(ctx, server)
			if watched.Err() != nil {
				t.Error("it is done from the start")
			}
			end(client, cancel)
			<-watched.Done()
		})
	}
}

func TestCloseAfter(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	_, closed := connect(t)
	peer, open := connect(t)
	wire.CloseAfter(ctx, closed)
	wire.CloseAfter(ctx, open)()
	cancel()
	if _, err := closed.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a read that waits ends with %v", err)
	}
	io.WriteString(peer, "x")
	if _, err := open.Read(make([]byte, 1)); err != nil {
		t.Errorf("the other is closed: %v", err)
	}
}

func TestHijackOfARecorder(t *testing.T) {
	t.Parallel()
	if conn := wire.Hijack(httptest.NewRecorder()); conn != nil {
		t.Errorf("a recorder has the connection %v", conn)
	}
}
