package fake

import (
	"context"
	"time"
)

// closeTimeout bounds how long answers may still take after Close was called.
const closeTimeout = 500 * time.Millisecond

// Shutdown stops the server as Close does, but first it waits until all answers are complete, or
// ctx is done. Delayed answers are sent at once. Requests that are held, and faults that wait, end
// without an answer. The server accepts no more requests meanwhile. Shutdown may be called several
// times, also at once.
func (s *Server) Shutdown(ctx context.Context) {
	s.engine.End()
	s.closeListeners()
	stop := context.AfterFunc(ctx, s.Close)
	s.engine.Wait()
	stop()
	s.Close()
}

// Close stops the server. It accepts no more connections, ends delays and faults that wait, and
// returns when all handlers have returned. Clients have half a second to read the answers that have
// begun. As a handler, a closed server answers 503. Close may be called several times, also at
// once: each call returns when the server is closed.
func (s *Server) Close() {
	isFirst := s.engine.Close(time.Now().Add(closeTimeout))
	if !isFirst {
		<-s.stopped
		return
	}
	defer close(s.stopped)
	s.closeListeners()
	timeout := time.AfterFunc(closeTimeout, s.closeConnections)
	s.open.Wait() // after this, no connection is added
	timeout.Stop()
	s.engine.Wait()
	if s.api.Upstream != nil {
		s.api.Upstream.Close()
	}
}

// closeConnections closes all connections, even in the middle of an answer.
func (s *Server) closeConnections() {
	s.http.Close()
}

// closeListeners closes the listeners and the idle connections. When it returns, each call of Serve
// has returned, so that no connection is accepted any more.
func (s *Server) closeListeners() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // without this, Shutdown would wait for connections that are not idle
	s.http.Shutdown(ctx)
}
