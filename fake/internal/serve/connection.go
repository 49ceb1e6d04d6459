package serve

import (
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
		x.gone = wire.Drain(x.ResponseWriter, x.Request)
	}
}

// clientGone returns a channel that is closed when the client has gone away.
//
// A client that closes its sending side after the request counts as gone, because the
// server sees no difference.
func (x *exchange) clientGone() <-chan struct{} {
	if !x.gone {
		return x.Request.Context().Done()
	}
	gone := make(chan struct{})
	close(gone)
	return gone
}

// awaitEnd waits until the client has gone away or the server is closed, and returns that
// in words.
func (x *exchange) awaitEnd() string {
	select {
	case <-x.clientGone():
	case <-x.handler.Ending.Done():
	}
	return x.whyEnded()
}

// whyEnded returns in words why a wait or an answer has ended.
func (x *exchange) whyEnded() string {
	if x.handler.Ending.Err() != nil {
		return "the server was closed"
	}
	return "the client went away"
}

// abort closes the connection in the middle of an exchange: what has been flushed is sent,
// and then its end. Without a connection, as with a recorder, the handler panics.
func abort() { panic(http.ErrAbortHandler) }
