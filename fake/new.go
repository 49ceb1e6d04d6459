package fake

import (
	"net/http"

	"example.com/campaignfake/fake/internal/control"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/serve"
	"example.com/campaignfake/fake/internal/upstream"
	"example.com/campaignfake/fake/internal/wire"
)

// New makes a server without a listener: an http.Handler, for
// httptest.NewRecorder, httptest.NewServer, or your own mux. Listen gives it an address. Unknown
// tokens are answered 401 unless WithService or a fixture file says otherwise.
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

// newServer makes a server for options that have been applied.
func newServer(c *plan.Config) (*Server, error) {
	e, err := engine.New(c)
	if err != nil {
		return nil, err
	}
	var proxy *upstream.Proxy
	if c.Upstream != nil {
		proxy = upstream.New(upstream.Settings{URL: c.Upstream, Ending: e.Ending})
	}
	s := &Server{
		engine:  e,
		test:    e.Test,
		api:     &serve.Handler{Engine: e, Upstream: proxy},
		control: control.New(e),
		stopped: make(chan struct{}),
	}
	s.transport = wire.NewTransport(&http.Transport{
		DialContext:       s.DialContext,
		DisableKeepAlives: true,
	})
	s.http = s.newHTTPServer()
	e.KeepAlives = s.limitKeepAlives
	if c.Test != nil {
		c.Test.Cleanup(s.endTest)
	}
	return s, nil
}
