// Package wire does what happens on a connection: it breaks connections and
// bodies, slows bodies down, reads what clients send without being asked, limits
// the number of connections, and connects client and server in memory.
//
// Its functions take a connection and a context. They know nothing of campaigns,
// users or the server that uses them.
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

// Hijack takes the connection over from the server that calls the handler, which
// then neither uses nor closes it. It returns nil if that is impossible, as under
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

// Finish closes a connection so that the client reads everything that was sent,
// and then its end. It first closes the sending side, and waits half a second at
// most until the client has closed its own: closing at once would reset the
// connection if the client has sent what nobody has read, such as a body. When ctx
// is done, the connection is closed at once.
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

// CloseAfter closes a connection when ctx is done, so that no read and no write
// on it waits longer. The function that it returns ends that, and leaves the
// connection open if ctx is not done yet.
func CloseAfter(ctx context.Context, conn net.Conn) (stop func() bool) {
	return context.AfterFunc(ctx, func() { conn.Close() })
}

// Watch returns a context that is done when ctx is, or when the client has closed
// its side of the connection. It reads and discards what the client sends, until
// the connection is closed: whoever calls Watch has to close it.
func Watch(ctx context.Context, conn net.Conn) context.Context {
	watched, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		io.Copy(io.Discard, conn)
	}()
	return watched
}
