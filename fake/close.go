package fake

import (
	"context"
	"time"
)

// closeTimeout bounds each of the two waits of Close: for answers that have begun, and for
// handlers.
const closeTimeout = 500 * time.Millisecond

// Close stops the server. It accepts no more connections, and ends delays, holds and faults that
// wait. Clients have half a second to read the answers that have begun; then Close closes their
// connections.
//
// Close returns when all handlers have returned. But it waits for handlers at most another half a
// second: a handler that another server calls may write to a client that does not read.
//
// A closed server that is used as a handler answers 503. Several goroutines may call Close, and
// each may call it several times. Each call returns when the server is closed.
func (s *Server) Close() {
	isFirst := s.engine.Close()
	if !isFirst {
		<-s.stopped
		return
	}
	defer close(s.stopped)
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	s.http.Shutdown(ctx)
	s.http.Close() // closes the connections that have not ended by themselves
	s.engine.Wait(closeTimeout)
	if s.api.Upstream != nil {
		s.api.Upstream.Close()
	}
}
