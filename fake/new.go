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
// httptest.NewServer, or your own mux. In a mux, register the server at the pattern "/". If the mux
// calls the server only for the path of the campaigns, the mux itself answers misspelt paths. The
// server does not see these requests. Listen gives the server an address. Unknown tokens are
// answered 401 unless WithService or a file of fixtures says otherwise.
//
// Another server, such as an httptest.Server, may call this handler. Then clients should use each
// connection only once, as the HTTP client of Server.Client does. A client that uses a connection
// again may silently repeat a request whose connection a fault breaks. Close this server before the
// httptest.Server, because the Close of an httptest.Server waits for delays and faults. Some faults
// flush or hijack the http.ResponseWriter. If your code wraps the http.ResponseWriter, give the
// wrapper a method Unwrap.
//
// The handler panics with http.ErrAbortHandler for a fault that breaks a connection. The same panic
// occurs if the context of a request ends before the answer, for example by a timeout during a
// delay. An http.Server recovers this panic, and closes the connection. With httptest.NewRecorder
// nobody recovers the panic, and the panic ends all tests of the package: use a server for such
// tests.
//
// In a testing/synctest bubble, make the server inside of the bubble, and use the server nowhere
// else: the runtime ends all tests of the package if a bubble shares a server.
//
// New fails if an option cannot be used: for example WithInMemory, or WithLenient without WithTB.
// New reports all mistakes in fixtures, users and settings at once, as *fixtures.Mistakes.
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
