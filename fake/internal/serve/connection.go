package serve

import (
	"context"
	"net"
	"net/http"

	"example.com/campaignfake/fake/internal/wire"
)

// This file has what an exchange does with its connection.

// drain reads the body of the request, which the service does not use. It is called
// before a delay, because net/http notices that a client has gone away only after the
// whole request was read. It is also called before an answer that closes the connection,
// because closing it with unread bytes resets it, and the answer is lost.
func (x *exchange) drain() {
	if !x.drained {
		x.drained = true
		x.rest = wire.Drain(x.ResponseWriter, x.Request)
	}
}

// clientContext returns a context that is done when the client has gone away or the
// server is closed. The caller must call release.
//
// A client that closes its sending side after the request counts as gone, because the
// server sees no difference.
func (x *exchange) clientContext() (ctx context.Context, release func()) {
	ctx = x.Request.Context()
	if x.rest == wire.DrainedPart { // reading failed, which ended it
		ctx = wire.ConnContext(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	if x.rest == wire.DrainedGone {
		cancel()
	}
	stop := context.AfterFunc(x.handler.Stopping, cancel)
	return ctx, func() { stop(); cancel() }
}

// awaitEnd waits until the client has gone away or the server is closed, and returns that
// in words. It hijacks the connection if possible, so that closing a server that we do not
// own, such as an httptest.Server, does not wait for it.
func (x *exchange) awaitEnd() string {
	if conn := x.hijack(); conn != nil {
		<-wire.Watch(x.handler.Ending, conn).Done()
		return x.whyEnded()
	}
	ctx, release := x.clientContext()
	defer release()
	select {
	case <-ctx.Done():
	case <-x.handler.Ending.Done():
	}
	return x.whyEnded()
}

// whyEnded returns in words why a wait or an answer has ended.
func (x *exchange) whyEnded() string {
	switch {
	case x.handler.Ending.Err() != nil:
		return "the server was closed"
	case wire.ClosedForRoom(x.Request.Context()):
		return "the connection was closed to make room"
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
// recorder, it aborts the handler, so that net/http resets an HTTP/2 stream.
func (x *exchange) mustHijack() net.Conn {
	if conn := x.hijack(); conn != nil {
		return conn
	}
	panic(http.ErrAbortHandler)
}

// closeConnection closes the connection in the middle of an exchange.
func (x *exchange) closeConnection() { wire.Finish(x.handler.Stopping, x.mustHijack()) }
