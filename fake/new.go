package fake

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// The limits of connections: a client that never completes its request must not
// block a server that others use.
const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
)

// New makes a server without a listener: an http.Handler, for
// httptest.NewRecorder, httptest.NewServer, your own mux, or Serve. Unknown tokens
// are answered 401 unless WithService or a fixture file says otherwise.
//
// If another server, such as an httptest.Server, serves the handler, its idle
// connections stay open. Its clients should then use each connection once, so that
// they do not repeat requests after a fault that breaks a connection.
//
// The other server can be closed before this one, as deferred calls do. It does not
// wait for the faults hang and stall over HTTP/1, whose connections are hijacked.
// It does wait for long delays, and for all faults over HTTP/2; then close this
// server first, which ends them.
//
// New fails if an option cannot be used. Mistakes in fixtures, users and settings
// are reported all at once, as *fixtures.Mistakes. With Strict they also fail the test.
func New(options ...Option) (*Server, error) {
	c := configure(options)
	if c.inMemory {
		c.wrong = append(c.wrong, errors.New("InMemory is an option of NewTestServer: a server made by New has no connections of its own; leave it out"))
	}
	if c.test == nil {
		return newServer(c)
	}
	c.test.Helper()
	return newTestServer(c)
}

func newServer(c *config) (*Server, error) {
	p, err := newSnapshot(c)
	if err != nil {
		return nil, err
	}
	t := c.test
	if t == nil {
		t = &test{TB: noTest{}}
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{
		config: c.withoutUsers(), state: newState(p, c.journal, c.limits), test: t, transport: noTransport{},
		stopping: ctx, stop: stop, stopped: make(chan struct{}),
	}
	s.certificates.Store(&s.config.certificates)
	s.control, s.controlCORS = sync.OnceValue(s.newControl), newCORS(c.origins)
	s.http = s.newHTTPServer(s)
	s.setKeepAlives()
	return s, nil
}

// onlyHTTP1 are the protocols without TLS. Nothing is prepared then for HTTP/2.
func onlyHTTP1() *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	return p
}

func (s *Server) newHTTPServer(handler http.Handler) *http.Server {
	limits := s.config.limits
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    limits.Header,
		TLSConfig:         s.serverTLS(),
		BaseContext:       func(net.Listener) context.Context { return s.stopping },
		ErrorLog:          wire.ErrorLog(s.config.logger),
	}
	if !s.config.secured() {
		server.Protocols = onlyHTTP1()
	} else if limits.Memory > 0 {
		server.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: limits.Streams, MaxReceiveBufferPerConnection: 64 << 10, MaxReceiveBufferPerStream: 16 << 10}
	}
	return server
}
