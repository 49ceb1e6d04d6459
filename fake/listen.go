package fake

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/engine"
)

// A client that never completes its request must not keep a connection for ever.
const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	headerBytes   = 32 << 10 // of the request line and the headers together
)

// newHTTPServer returns the server of all listeners. It has no WriteTimeout, which would cut
// delays and events.
func (s *Server) newHTTPServer() *http.Server {
	config := s.engine.Config
	server := &http.Server{
		Handler:                      s,
		ReadHeaderTimeout:            headerTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               headerBytes - 4096, // to which net/http adds as much
		BaseContext:                  s.baseContext,
		ConnState:                    s.countConnection,
		ErrorLog:                     slog.NewLogLogger(config.Logger.Handler(), slog.LevelWarn),
		Protocols:                    new(http.Protocols),
		DisableGeneralOptionsHandler: true, // OPTIONS * matches nothing, too
	}
	server.Protocols.SetHTTP1(true) // alone
	if config.Certificates != nil {
		server.TLSConfig = &tls.Config{Certificates: config.Certificates}
	}
	return server
}

// baseContext returns the context of all requests, which ends when the server is closed.
func (s *Server) baseContext(net.Listener) context.Context {
	return s.engine.Stopping
}

// countConnection counts the connections that are open. net/http tells that one is closed after it
// has logged all about it.
func (s *Server) countConnection(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.open.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.open.Done()
	}
}

// Listen listens on a TCP address, as 127.0.0.1:8642, where port 0 is any free one, and answers
// requests in the background until Close. When it returns, the server has its BaseURL. It fails if
// the address cannot be used, or if the server is closed.
func (s *Server) Listen(address string) error {
	if s.engine.Ended() {
		return fmt.Errorf("listening on %s: %w; make another server", address, engine.ErrClosed)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("%w; give another address, as 127.0.0.1:0 for any free port", err)
	}
	s.serveInBackground(listener)
	return nil
}

// serveInBackground serves a listener of our own, which fails only when it is closed. Its address
// is that of the server from now on.
func (s *Server) serveInBackground(l net.Listener) {
	s.engine.Listener.Store(&l)
	go s.Serve(l)
}

// Serve answers connections of l until Close, over TLS if the server has that
// option. It returns nil after Close, and an error if l fails.
func (s *Server) Serve(l net.Listener) error {
	s.engine.Listener.Store(&l)
	var err error
	if s.engine.Config.Certificates != nil {
		err = s.http.ServeTLS(l, "", "")
	} else {
		err = s.http.Serve(l)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// limitKeepAlives has each connection used once, from now on, if one may break before an answer,
// as in a test. Browsers and Go's client silently repeat a request if its connection breaks and
// was used before: the fault would not be seen, and use up two replies.
func (s *Server) limitKeepAlives() {
	if s.engine.Breaks() {
		s.http.SetKeepAlivesEnabled(false)
	}
}
