package wire

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"
)

// lingering is how long a client may take to close its side of a connection.
const lingering = 500 * time.Millisecond

// Hijack takes the connection over from the server that calls the handler. The server
// then neither uses nor closes it. Hijack returns nil if that is impossible, as under
// HTTP/2 or with a recorder.
func Hijack(w http.ResponseWriter) net.Conn {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil
	}
	return conn
}

// Reset closes a connection so that the client sees an error: TCP sends RST. A
// connection in memory has no reset, and is only closed.
func Reset(conn net.Conn) {
	defer conn.Close()
	inner := conn
	for {
		wrapper, ok := inner.(interface{ NetConn() net.Conn })
		if !ok {
			break
		}
		inner = wrapper.NetConn()
	}
	if tcp, ok := inner.(interface{ SetLinger(seconds int) error }); ok {
		tcp.SetLinger(0)
	}
	inner.Close() // first, or TLS would announce the end of the connection
}

// Finish closes a connection so that the client reads everything that was sent, and then
// the end. It closes the sending side first, and waits up to half a second until the
// client has closed its own side, because closing at once resets a connection with
// unread data, such as a body. When ctx is done, the connection is closed at once.
func Finish(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	defer CloseAfter(ctx, conn)()
	half, ok := conn.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	conn.SetReadDeadline(time.Now().Add(lingering))
	io.Copy(io.Discard, conn)
}

// CloseAfter closes a connection when ctx is done, so that reads and writes on it do not
// wait any longer. stop cancels that: if ctx is not done yet, the connection stays open.
func CloseAfter(ctx context.Context, conn net.Conn) (stop func() bool) {
	return context.AfterFunc(ctx, func() { conn.Close() })
}

// Watch returns a context that is done when ctx is done, or when the client has closed
// its side of the connection. It discards everything that the client sends until the
// connection is closed, which the caller must do.
func Watch(ctx context.Context, conn net.Conn) context.Context {
	watched, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		io.Copy(io.Discard, conn)
	}()
	return watched
}
