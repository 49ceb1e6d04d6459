package fake

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/control"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/serve"
	"example.com/campaignfake/fake/internal/wire"
)

// The limits of connections: a client that never completes its request must not
// block a server that others use.
const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute

	// streams is how many requests a connection of HTTP/2 may have at once.
	streams = 100
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
// are reported all at once, as *fixtures.Mistakes. With WithTB they also fail the test.
func New(options ...Option) (*Server, error) {
	c := applied(options)
	if c.InMemory {
		c.Wrong = append(c.Wrong, errors.New("WithInMemory is an option of NewTestServer: a server made by New has no connections of its own; leave it out"))
	}
	if c.Test == nil {
		return newServer(c)
	}
	c.Test.Helper()
	return newTestServer(c)
}

func newServer(c *plan.Config) (*Server, error) {
	e, err := engine.New(c)
	if err != nil {
		return nil, err
	}
	s := &Server{
		engine: e, api: &serve.Handler{Engine: e}, control: control.New(e), test: e.Test,
		transport: noTransport{}, stopped: make(chan struct{}),
	}
	s.connections = s.newConnections(c)
	s.http = s.newHTTPServer(s)
	e.KeepAlives = s.setKeepAlives
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
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerBytes(s.engine.Config),
		BaseContext:       func(net.Listener) context.Context { return s.engine.Stopping },
		ErrorLog:          wire.ErrorLog(s.engine.Config.Logger),
		ConnState:         s.connections.State,
	}
	if s.engine.Config.Secured() {
		server.TLSConfig = wire.ServerTLS(func() []tls.Certificate { return *s.engine.Certificates.Load() })
		server.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: streams, MaxReceiveBufferPerConnection: 64 << 10, MaxReceiveBufferPerStream: 16 << 10}
	} else {
		server.Protocols = onlyHTTP1()
	}
	wire.Track(server)
	return server
}

// headerBytes returns the MaxHeaderBytes with which the limit of headers is true. To it,
// net/http adds 4096 in HTTP/1, and nearly nothing in HTTP/2, which most clients use over TLS.
func headerBytes(c *plan.Config) int {
	if c.Secured() {
		return c.Limits.Header
	}
	return c.Limits.Header - 4096
}

// socketBuffer is about how many bytes the kernel holds for each side of a connection,
// if the memory has a limit: by itself it takes up to several megabytes.
const socketBuffer = 32 << 10

// newConnections returns the connections of a server. A test server closes none of them
// to make room.
func (s *Server) newConnections(c *plan.Config) *wire.Connections {
	connections := wire.Config{Secured: c.Secured(), Logger: c.Logger, Refused: s.api.Refused}
	if c.Test == nil {
		connections.Limit = c.Limits.Connections
	}
	if c.Limits.Memory > 0 {
		connections.Buffer = socketBuffer
	}
	return wire.NewConnections(connections)
}
