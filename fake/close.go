package fake

import (
	"context"
	"time"
)

// closeTimeout bounds how long answers may still take after Close was called.
const closeTimeout = 500 * time.Millisecond

// Close stops the server. It accepts no more connections, and ends delays, holds and faults that
// wait. Clients have half a second to read the answers that have begun; then Close closes their
// connections. It returns when all handlers have returned. If another server calls the handler,
// and a client does not read its answer, Close returns after half a second all the same. As a
// handler, a closed server answers 503. Close may be called several times, also at once: each call
// returns when the server is closed.
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
	s.http.Close() // the connections that have not ended by themselves
	s.engine.Wait(closeTimeout)
	if s.api.Upstream != nil {
		s.api.Upstream.Close()
	}
}
