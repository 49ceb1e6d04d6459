package fake

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

// drain reads the body of a request, which nobody asked for, before its answer is
// kept waiting: the server notices that a client has gone away only when it has
// read the request to its end. A body that does not end soon is left unread.
func (x *exchange) drain() {
	r := x.request
	if r.Body == nil || r.Body == http.NoBody || r.ProtoMajor != 1 || r.Context().Value(http.ServerContextKey) == nil {
		return
	}
	controller := http.NewResponseController(x.ResponseWriter)
	if controller.SetReadDeadline(time.Now().Add(lingering)) != nil {
		return
	}
	// net/http waits with the end of a connection on which a body was too large.
	_, err := io.Copy(io.Discard, http.MaxBytesReader(x.ResponseWriter, r.Body, drainBytes))
	controller.SetReadDeadline(time.Time{})
	var large *http.MaxBytesError
	var broken *net.OpError
	switch {
	case err == nil || errors.Is(err, http.ErrBodyReadAfterClose): // or somebody has read it before
	case errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &large):
		x.leaveUnread()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.ErrClosedPipe), errors.As(err, &broken):
		x.gone = true
	default: // it is malformed
		x.leaveUnread()
	}
}

// drainLast drains a body after which the client wants the connection closed.
// net/http closes it at once then, and what nobody has read resets it: the client
// loses the answer, too.
func (x *exchange) drainLast() {
	if x.request.Close && !x.unread {
		x.drain()
	}
}

// leaveUnread gives the rest of a body up.
func (x *exchange) leaveUnread() {
	x.unread = true
	x.Header().Set("Connection", "close") // or the server waits for the rest first
}

// bodyPatience is how long the rest of a body may take to come after the answer.
const bodyPatience = 5 * time.Second

// drainBytes bounds what is read of a body that nobody asked for.
const drainBytes = 8 << 20

// attended returns a context that is done when the client has gone away, or when
// the server stops, if nobody could tell.
//
// A client that closes its sending side after the request counts as gone: the
// server cannot tell the two apart.
func (s *Server) attended(x *exchange) context.Context {
	switch {
	case x.gone:
		ctx, cancel := context.WithCancel(s.stopping)
		cancel()
		return ctx
	case x.unread: // the request's context has ended with the attempt to read it
		return s.stopping
	}
	return x.request.Context()
}

// enlist adds an exchange to those that are going on. It is called with the
// server's lock held.
func (s *Server) enlist(x *exchange) {
	if x.next = s.going; x.next != nil {
		x.next.previous = x
	}
	s.going = x
}

// delist takes an exchange out of those that are going on.
func (s *Server) delist(x *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.next != nil {
		x.next.previous = x.previous
	}
	if x.previous != nil {
		x.previous.next = x.next
	} else {
		s.going = x.next
	}
}

// endReadsAndWrites lets what handlers read and write fail once answers have had
// their time. A server that is not this one's does not do so by itself, and
// clients may neither read nor write. It is called with the lock held, so that no
// handler returns meanwhile.
func (s *Server) endReadsAndWrites() {
	until := time.Now().Add(closing)
	for x := s.going; x != nil; x = x.next {
		controller := http.NewResponseController(x.ResponseWriter)
		controller.SetWriteDeadline(until)
		if body := x.request.Body; body != nil && body != http.NoBody {
			controller.SetReadDeadline(until)
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
	if x.taken == nil {
		x.taken = x.hijack()
	}
	if x.taken == nil {
		panic(http.ErrAbortHandler)
	}
	return x.taken
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
	defer conn.Close()
	inner := conn
	for {
		wrapped, ok := inner.(interface{ NetConn() net.Conn })
		if !ok {
			break
		}
		inner = wrapped.NetConn()
	}
	if tcp, ok := inner.(interface{ SetLinger(seconds int) error }); ok {
		tcp.SetLinger(0)
	}
	inner.Close() // before anything that is around it announces its end
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
