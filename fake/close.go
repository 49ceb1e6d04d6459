package fake

import (
	"context"
	"time"
)

// closeTimeout is how long answers in flight may take once a server is being closed.
const closeTimeout = 500 * time.Millisecond

// Shutdown stops the server as Close does, but first lets answers in flight end until ctx
// is done. Those that are delayed are sent at once; requests that are held, and faults that
// wait, end without an answer. It accepts no more requests meanwhile.
func (s *Server) Shutdown(ctx context.Context) {
	s.engine.End()
	s.closeListeners()
	stop := context.AfterFunc(ctx, s.Close)
	s.engine.Wait()
	stop()
	s.Close()
}

// Close stops the server: it accepts no more connections, ends delays and faults that wait, and
// returns when all handlers have returned. Clients have half a second to read the answers in
// flight. As a handler, a closed server answers 503.
func (s *Server) Close() {
	isFirst := s.engine.Close(time.Now().Add(closeTimeout))
	if !isFirst {
		<-s.stopped
		return
	}
	defer close(s.stopped)
	s.closeListeners()
	timeout := time.AfterFunc(closeTimeout, func() { s.http.Close() })
	s.open.Wait() // to which nothing is added any more
	timeout.Stop()
	s.engine.Wait()
	if s.api.Upstream != nil {
		s.api.Upstream.Close()
	}
}

// closeListeners closes the listeners, and the connections that are idle. Shutdown returns when
// each Serve has, so that no connection is accepted any more.
func (s *Server) closeListeners() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // or Shutdown would wait for the others
	s.http.Shutdown(ctx)
}
