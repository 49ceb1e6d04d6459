package fake

import (
	"context"
	"net"
	"net/http"

	"example.com/campaignfake/fake/internal/wire"
)

// What an exchange does to its own connection.

// drain reads the body of the request, which the service does not use. It is called
// before a delay, since net/http notices that a client has gone away only after the
// whole request was read. It is called before an answer that closes the connection,
// too: a connection that is closed with unread bytes is reset, and the answer lost.
func (x *exchange) drain() {
	if !x.drained {
		x.drained = true
		x.rest = wire.Drain(x.ResponseWriter, x.r)
	}
}

// clientContext returns a context that is done when the client has gone away or the
// server is closed. release must be called.
//
// A client that closes its sending side after the request counts as gone, since the
// server cannot tell the difference.
func (x *exchange) clientContext() (ctx context.Context, release func()) {
	if x.rest == wire.DrainedPart { // the failed read has ended the request's context
		return x.server.stopping, func() {}
	}
	ctx, cancel := context.WithCancel(x.r.Context())
	if x.rest == wire.DrainedGone {
		cancel()
	}
	stop := context.AfterFunc(x.server.stopping, cancel)
	return ctx, func() { stop(); cancel() }
}

// awaitEnd waits until the client has gone away or the server is closed, and says
// which. It hijacks the connection if possible, so that the Close of another server,
// such as an httptest.Server, does not wait for it.
func (x *exchange) awaitEnd() string {
	if conn := x.hijack(); conn != nil {
		<-wire.Watch(x.server.stopping, conn).Done()
		return x.ended()
	}
	ctx, release := x.clientContext()
	defer release()
	<-ctx.Done()
	return x.ended()
}

// ended says why a wait or an answer has ended.
func (x *exchange) ended() string {
	if x.server.stopping.Err() != nil {
		return "the server was closed"
	}
	return "the client went away"
}

// hijack hijacks the connection from net/http. It returns nil if that is impossible.
func (x *exchange) hijack() net.Conn {
	if x.hijacked == nil {
		x.hijacked = wire.Hijack(x.ResponseWriter)
	}
	return x.hijacked
}

// mustHijack hijacks the connection. If that is impossible, as under HTTP/2 or with a
// recorder, it aborts the handler, which resets an HTTP/2 stream.
func (x *exchange) mustHijack() net.Conn {
	if conn := x.hijack(); conn != nil {
		return conn
	}
	panic(http.ErrAbortHandler)
}

// closeConnection closes the connection in the middle of an exchange.
func (x *exchange) closeConnection() { wire.Finish(x.server.stopping, x.mustHijack()) }
