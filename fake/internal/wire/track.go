package wire

import (
	"context"
	"errors"
	"net"
	"net/http"
)

// errRoom is the cause of the context of a connection that was closed to make room.
var errRoom = errors.New("the connection was closed to make room")

// Track makes a server add the connections of its listeners to their Connections, and
// report their events. It is called before the server is used.
func Track(server *http.Server) {
	server.ConnContext = func(ctx context.Context, accepted net.Conn) context.Context {
		c := find(accepted)
		if c == nil {
			return ctx
		}
		c.ended = make(chan struct{})
		c.ctx, c.cancel = context.WithCancelCause(context.WithValue(ctx, connKey{}, c))
		c.connections.add(c)
		return c.ctx
	}
	handler := server.Handler
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c := connOf(r.Context()); c != nil {
			c.connections.touch(c, 1)
			defer c.finish()
		}
		handler.ServeHTTP(w, r)
	})
}

// finish notes that the handler of a request has ended. If the connection was closed to
// make room, it aborts the handler, because net/http would otherwise keep the connection
// for half a second if the body of the request is unread.
func (c *conn) finish() {
	c.connections.touch(c, -1)
	if context.Cause(c.ctx) == errRoom {
		panic(http.ErrAbortHandler)
	}
}

// ConnContext returns the context of the connection of a request. It is done when the
// connection is closed, or when the server's base context is done; if the server is not
// tracked, never. Unlike the request's own context, which is the argument, it outlives
// reads that fail.
func ConnContext(ctx context.Context) context.Context {
	if c := connOf(ctx); c != nil {
		return c.ctx
	}
	return context.WithoutCancel(ctx)
}

// ClosedForRoom reports whether the connection of a request was closed to make room for
// a new one. The context is the request's.
func ClosedForRoom(ctx context.Context) bool { return context.Cause(ConnContext(ctx)) == errRoom }

// KeepOpen prevents that the connection of a request is closed to make room, until release
// is called. The context is the request's.
func KeepOpen(ctx context.Context) (release func()) {
	c := connOf(ctx)
	if c == nil {
		return func() {}
	}
	c.connections.keep(c, 1)
	return func() { c.connections.keep(c, -1) }
}

// connKey is the key of a conn in the contexts of its requests.
type connKey struct{}

func connOf(ctx context.Context) *conn {
	c, _ := ctx.Value(connKey{}).(*conn)
	return c
}

// find returns the conn inside a connection, such as one of TLS; nil if there is none.
func find(outer net.Conn) *conn {
	for {
		switch c := outer.(type) {
		case *conn:
			return c
		case interface{ NetConn() net.Conn }:
			outer = c.NetConn()
		default:
			return nil
		}
	}
}
