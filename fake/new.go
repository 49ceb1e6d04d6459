package fake

import (
	"context"
	"crypto/tls"
	"log/slog"
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
	headerBytes   = 32 << 10 // of the request line and the headers together
)

// New makes a server without a listener: an http.Handler, for
// httptest.NewRecorder, httptest.NewServer, your own mux, or Serve. Unknown tokens
// are answered 401 unless WithService or a fixture file says otherwise.
//
// If another server, such as an httptest.Server, serves the handler, its clients should use each
// connection once, as those of Client do: else they repeat requests after a fault that breaks a
// connection. Close this server before the other one, which waits for delays and faults.
//
// New fails if an option cannot be used. Mistakes in fixtures, users and settings
// are reported all at once, as *fixtures.Mistakes.
func New(options ...Option) (*Server, error) {
	return newServer(applied(options))
}

func newServer(c *plan.Config) (*Server, error) {
	e, err := engine.New(c)
	if err != nil {
		return nil, err
	}
	s := &Server{
		engine:  e,
		test:    e.Test,
		api:     &serve.Handler{Engine: e},
		control: control.New(e),
		stopped: make(chan struct{}),
	}
	s.transport = wire.NewTransport(&http.Transport{
		DialContext:       s.DialContext,
		DisableKeepAlives: true,
	})
	s.http = s.newHTTPServer()
	e.KeepAlives = s.setKeepAlives
	s.setKeepAlives()
	if c.Test != nil {
		c.Test.Cleanup(s.endTest)
	}
	return s, nil
}

// newHTTPServer returns the server of a listener. It has no WriteTimeout, which would cut
// delays and events.
func (s *Server) newHTTPServer() *http.Server {
	server := &http.Server{
		Handler:                      s,
		ReadHeaderTimeout:            headerTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               headerBytes - 4096, // to which net/http adds as much
		BaseContext:                  func(net.Listener) context.Context { return s.engine.Stopping },
		ConnState:                    s.countConnection,
		ErrorLog:                     slog.NewLogLogger(s.engine.Config.Logger.Handler(), slog.LevelWarn),
		Protocols:                    new(http.Protocols),
		DisableGeneralOptionsHandler: true, // OPTIONS * matches nothing, too
	}
	server.Protocols.SetHTTP1(true) // alone
	if s.engine.Config.Certificates != nil {
		server.TLSConfig = &tls.Config{Certificates: s.engine.Config.Certificates}
	}
	return server
}
