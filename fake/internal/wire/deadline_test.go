package wire_test

import (
	"errors"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// accepted returns both ends of a connection in memory that a Listener has let in.
func accepted(t *testing.T) (client, server net.Conn) {
	t.Helper()
	memory := wire.NewMemoryListener()
	l := wire.NewListener(memory, wire.Config{Secured: true})
	t.Cleanup(func() { l.Close() })
	dialed := make(chan net.Conn)
	go func() {
		conn, _ := memory.DialContext(t.Context(), "tcp", wire.MemoryHost+":80")
		dialed <- conn
	}()
	server, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return <-dialed, server
}

// A deadline ends the reads that have begun when it is set, and those that begin later.
// One that is taken back ends none.
func TestReadDeadlines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, server := accepted(t)
		defer client.Close()
		defer server.Close()
		read := func() time.Duration {
			begin := time.Now()
			if _, err := server.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("a read ends with %v", err)
			}
			return time.Since(begin)
		}
		server.SetReadDeadline(time.Now().Add(time.Second))
		if took := read(); took != time.Second {
			t.Errorf("with a deadline in a second it takes %v", took)
		}
		server.SetReadDeadline(time.Time{})
		go func() {
			time.Sleep(time.Minute)
			server.SetDeadline(time.Now().Add(time.Second))
		}()
		if took := read(); took != time.Minute+time.Second {
			t.Errorf("with a deadline that is set meanwhile it takes %v", took)
		}
		server.SetReadDeadline(time.Now().Add(time.Second))
		server.SetReadDeadline(time.Time{})
		go func() {
			time.Sleep(time.Minute)
			client.Write([]byte("x"))
		}()
		if n, err := server.Read(make([]byte, 1)); n != 1 || err != nil {
			t.Errorf("without a deadline %d bytes are read, and then %v", n, err)
		}
	})
}
