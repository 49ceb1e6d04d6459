package fake

import (
	"errors"
	"net/http"

	"example.com/campaignfake/fake/internal/control"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/serve"
	"example.com/campaignfake/fake/internal/upstream"
	"example.com/campaignfake/fake/internal/wire"
)

// New makes a server without a listener. The server is an http.Handler for httptest.NewRecorder,
// httptest.NewServer, or your own mux. In a mux, register it at the pattern "/": if the mux calls
// it only for the path of the campaigns, the mux answers misspelt paths by itself. Listen gives the
// server an address. Unknown tokens are answered 401 unless WithService or a file of fixtures says
// otherwise.
//
// Another server, such as an httptest.Server, may call this handler. Then clients should use each
// connection once, as the HTTP client of Server.Client does. Otherwise they repeat requests after a
// fault that breaks a connection. Close this server before the httptest.Server, whose Close waits
// for delays and faults. Some faults flush or hijack the http.ResponseWriter. So a type that wraps
// it needs a method Unwrap.
//
// The handler panics with http.ErrAbortHandler for a fault that breaks a connection, and if the
// context of a request ends before its answer, for example by a timeout during a delay. An
// http.Server recovers this panic, and closes the connection. With httptest.NewRecorder nobody
// recovers the panic, and it ends all tests of the package: use a server for such tests.
//
// In a testing/synctest bubble, make the server inside of the bubble, and use it nowhere else: the
// runtime ends all tests of the package if a bubble shares a server.
//
// New fails if an option cannot be used: for example WithInMemory, or WithLenient without WithTB.
// It reports all mistakes in fixtures, users and settings at once, as *fixtures.Mistakes.
func New(options ...Option) (*Server, error) {
	setup := applied(options)
	if setup.InMemory {
		setup.AddError(errors.New("WithInMemory: " +
			"a server of New listens nowhere until Listen is called; " +
			"leave the option out, or in a test make the server with fake.NewTestServer"))
	}
	if setup.Lenient && setup.Test == nil {
		setup.AddError(errors.New("WithLenient: " +
			"the server reports to no test, and so is not strict; " +
			"leave the option out, or add fake.WithTB(t) in a test"))
	}
	return newServer(setup)
}

// newServer makes a server for options that have been applied.
func newServer(setup *plan.Setup) (*Server, error) {
	e, err := engine.New(setup)
	if err != nil {
		return nil, err
	}
	var proxy *upstream.Proxy
	if setup.Upstream != nil {
		proxy = upstream.New(setup.Upstream)
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
	e.OnBreaksChanged = s.limitKeepAlives
	if setup.Test != nil {
		setup.Test.Cleanup(s.endTest)
	}
	return s, nil
}
