package fake

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/engine"
)

// These limits end connections of clients that never complete a request.
const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	headerBytes   = 32 << 10 // the request line and the headers together
)

// newHTTPServer returns the server for all listeners. It has no WriteTimeout, because that would
// cut off delays and events.
func (s *Server) newHTTPServer() *http.Server {
	config := s.engine.Config
	server := &http.Server{
		Handler:                      s,
		ReadHeaderTimeout:            headerTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               headerBytes - 4096, // net/http adds 4096 to MaxHeaderBytes
		ErrorLog:                     slog.NewLogLogger(config.Logger.Handler(), slog.LevelWarn),
		Protocols:                    new(http.Protocols),
		DisableGeneralOptionsHandler: true, // so that OPTIONS * is unmatched, too
	}
	// There is no HTTP/2: its requests share a connection, so a fault would break other requests,
	// too.
	server.Protocols.SetHTTP1(true)
	if config.Certificates != nil {
		server.TLSConfig = &tls.Config{Certificates: config.Certificates}
	}
	return server
}

// Listen listens on a TCP address, such as 127.0.0.1:8642, and answers requests in the background
// until Close. Port 0 stands for any free port. When Listen returns, BaseURL has the address and
// the port. Listen fails if the address cannot be used, or if the server is closed.
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

// serveInBackground serves our own listener, whose address becomes the address of the server. It
// drops the error of Serve, because our own listener fails only when it is closed.
func (s *Server) serveInBackground(l net.Listener) {
	s.engine.Listener.Store(&l)
	go s.Serve(l)
}

// Serve answers the connections of l until Close. With the option WithTLS it speaks TLS. It returns
// nil after Close, and an error if l fails. BaseURL has the address of l until the next call of
// Serve or Listen.
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

// limitKeepAlives turns keep-alives off while Engine.Breaks is true. Each connection then carries
// only one request, so no client repeats a request whose connection a fault breaks. Turning
// keep-alives off also closes the connections that are idle at this moment. The engine calls
// limitKeepAlives when the result of Breaks may have changed. At the start no connection is idle,
// so no call is needed.
func (s *Server) limitKeepAlives() {
	// Without the lock, a goroutine with an older value of Breaks could turn keep-alives on after
	// another goroutine has turned them off.
	s.keepAlives.Lock()
	defer s.keepAlives.Unlock()
	s.http.SetKeepAlivesEnabled(!s.engine.Breaks())
}
