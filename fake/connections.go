package fake

import (
	"context"
	"net"
	"net/http"

	"example.com/campaignfake/fake/internal/wire"
)

// What an exchange does to its own connection.

// drain reads the body of the request, which the service has no use for. It is
// done before the answer is made to wait, since net/http notices that a client has
// gone away only when the request was read to its end; and before an answer that
// ends the connection, since what nobody has read resets it, and the answer is lost.
func (x *exchange) drain() {
	if !x.drained {
		x.drained = true
		x.rest = wire.Drain(x.ResponseWriter, x.r)
	}
}

// clientContext returns a context that is done when the client has gone away, or
// when the server is closed. release has to be called.
//
// A client that closes its sending side after the request counts as gone: the
// server cannot tell the two apart.
func (x *exchange) clientContext() (ctx context.Context, release func()) {
	if x.rest == wire.DrainedPart { // the attempt to read it has ended the request's context
		return x.server.stopping, func() {}
	}
	ctx, cancel := context.WithCancel(x.r.Context())
	if x.rest == wire.DrainedGone {
		cancel()
	}
	stop := context.AfterFunc(x.server.stopping, cancel)
	return ctx, func() { stop(); cancel() }
}

// awaitEnd returns when the client has gone away or the server is closed, and says
// which. It hijacks the connection where that is possible: when a server of
// somebody else's is closed, it does not wait for hijacked connections.
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

// ended says what has ended a wait, or an answer.
func (x *exchange) ended() string {
	if x.server.stopping.Err() != nil {
		return "the server was closed"
	}
	return "the client went away"
}

// hijack takes the connection over from net/http, nil if that is impossible.
func (x *exchange) hijack() net.Conn {
	if x.hijacked == nil {
		x.hijacked = wire.Hijack(x.ResponseWriter)
	}
	return x.hijacked
}

// mustHijack hijacks the connection. Where that is impossible, as under HTTP/2 or
// with a recorder, it aborts the handler: the stream is reset, which is nearest.
func (x *exchange) mustHijack() net.Conn {
	if conn := x.hijack(); conn != nil {
		return conn
	}
	panic(http.ErrAbortHandler)
}

// closeConnection closes the connection in the middle of an exchange.
func (x *exchange) closeConnection() { wire.Finish(x.server.stopping, x.mustHijack()) }
