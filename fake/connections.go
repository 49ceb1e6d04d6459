package fake

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"
)

// attended returns a context that is done when the client has gone away. The
// server notices that only when it has read the request to its end, so a body,
// which nobody asked for, is read as well.
//
// A client that closes its sending side after the request counts as gone: the
// server cannot tell the two apart.
func (x *exchange) attended() context.Context {
	if x.client != nil {
		return x.client
	}
	r := x.request
	x.client = r.Context()
	if r.Body == nil || r.Body == http.NoBody || r.ProtoMajor != 1 {
		return x.client
	}
	ctx, gone := context.WithCancel(r.Context())
	x.client = ctx
	body := r.Body // by the end of it, the exchange may be another's
	go func() {
		// What is being read ends with the handler at the latest, by what the server
		// does then with the connection, or who takes it over. From the end of the
		// body on, the server watches the connection itself.
		if _, err := io.Copy(io.Discard, body); err != nil {
			gone()
		}
	}()
	return ctx
}

// endWritesAtStop lets what the exchange writes fail when the server has been
// closed for as long as answers may take then. A server of somebody else's does
// not do so, and a client may not read. It returns what ends that.
func (s *Server) endWritesAtStop(x *exchange) (end func()) {
	controller := http.NewResponseController(x.ResponseWriter)
	done := make(chan struct{})
	stop := context.AfterFunc(s.stopping, func() {
		defer close(done)
		controller.SetWriteDeadline(time.Now().Add(closing))
	})
	return func() {
		if !stop() {
			<-done
		}
	}
}

// end closes the connection of an exchange in the middle of it.
func (s *Server) end(x *exchange) { s.finish(x.takeOver()) }

// hijack takes the connection over from the server, nil if it cannot be.
func (x *exchange) hijack() net.Conn {
	conn, _, err := http.NewResponseController(x.ResponseWriter).Hijack()
	if err != nil {
		return nil
	}
	return conn
}

// takeOver takes the connection over, and aborts the handler if it cannot be.
func (x *exchange) takeOver() net.Conn {
	conn := x.hijack()
	if conn == nil {
		panic(http.ErrAbortHandler)
	}
	return conn
}

// closeAtStop closes a connection that was taken over when the server stops,
// which does not know it any more, so that no write waits longer. It returns
// what ends that.
func (s *Server) closeAtStop(conn net.Conn) (end func()) {
	stop := context.AfterFunc(s.stopping, func() { conn.Close() })
	return func() { stop() }
}

// watched returns a context that is done when the client of a connection that was
// taken over has gone away, or the server stops. It watches until the connection
// is closed.
func (s *Server) watched(conn net.Conn) context.Context {
	ctx, gone := context.WithCancel(s.stopping)
	go func() {
		defer gone()
		io.Copy(io.Discard, conn)
	}()
	return ctx
}

// reset closes a connection so that the client's side breaks: TCP sends RST
// when there is nothing to wait for. A connection in memory has no such thing,
// and is just closed.
func reset(conn net.Conn) {
	if secured, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = secured.NetConn() // whose end is not announced
	}
	if tcp, ok := conn.(interface{ SetLinger(seconds int) error }); ok {
		tcp.SetLinger(0)
	}
	conn.Close()
}

// lingering is how long a client may take to close its side.
const lingering = 500 * time.Millisecond

// finish closes a connection so that the client reads everything that was sent,
// and then its end. Closing it at once would reset it if the client has sent
// what nobody has read, as the body of a request.
func (s *Server) finish(conn net.Conn) {
	defer conn.Close()
	defer s.closeAtStop(conn)()
	half, ok := conn.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	conn.SetReadDeadline(time.Now().Add(lingering))
	io.Copy(io.Discard, conn)
}
