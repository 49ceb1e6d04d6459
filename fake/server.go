package fake

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"example.com/campaignfake/fake/internal/wire"
	"github.com/gorilla/mux"
)

// A Server fakes the campaign service. It is an http.Handler, and may be used by
// any number of goroutines at once. Servers share nothing with each other.
//
// Users are keyed by bearer token. The token is also what isolates: tests that
// run in parallel can share a server when each uses tokens of its own.
type Server struct {
	config      *config
	state       *state // all that changes
	test        *test  // the test that hears of failures; nil for a server made by New
	http        *http.Server
	controlHTTP *http.Server      // for a control plane with an address of its own
	transport   http.RoundTripper // of its clients
	address     atomic.Pointer[string]
	exchanges   sync.Pool // whose memory is used again
	control     func() *mux.Router

	// reading is held while fixtures or a body of the control plane are read: one
	// at a time, since that takes many times their size.
	reading sync.Mutex

	stopping context.Context // done when the server is closed
	stop     context.CancelFunc
	stopped  chan struct{} // closed at the end of Close
}

// The limits of connections. They hold for every server, so that one which
// serves a team is not held up by a client that never finishes its sentence.
const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	headerBytes   = 64 << 10
)

// New makes a server without a listener: an http.Handler, for
// httptest.NewRecorder, httptest.NewServer, a mux of your own, or Serve.
// It knows the users that it is given and no others: unknown tokens are
// answered 401 unless WithService or a fixture file says otherwise.
//
// Under a server of somebody else's, whose idle connections it cannot close, a
// client should use each connection once for faults that break one to be exact.
//
// Such a server may be closed first, as by deferred calls in their natural order:
// an httptest.Server does not wait for the faults hang and stall over HTTP/1, whose
// connections are hijacked. It does wait for long delays, and over HTTP/2, until
// Close of this server ends them; close this one first then.
//
// It fails if an option cannot be used. Mistakes in fixtures, users and settings
// are reported all at once, as *fixtures.Mistakes.
func New(options ...Option) (*Server, error) {
	c := configure(options, nil)
	if c.inMemory {
		c.wrong = append(c.wrong, errors.New("InMemory is an option of NewTestServer: a server made by New has no connections of its own; leave it out"))
	}
	return newServer(c, nil)
}

func newServer(c *config, t *test) (*Server, error) {
	p, err := newSnapshot(c)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{
		config: c.withoutUsers(), state: newState(p, c.journal), test: t, transport: nowhere{},
		stopping: ctx, stop: stop, stopped: make(chan struct{}),
	}
	s.control = sync.OnceValue(s.newControl)
	s.http, s.controlHTTP = s.newHTTPServer(s), s.newHTTPServer(s.Control())
	s.keepConnections()
	return s, nil
}

func (s *Server) newHTTPServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerBytes,
		TLSConfig:         s.config.serverTLS(),
		BaseContext:       func(net.Listener) context.Context { return s.stopping },
		ErrorLog:          wire.ErrorLog(s.config.logger),
	}
}

// Service returns the settings that are in force, every one given.
func (s *Server) Service() Service { return Service{}.Overlay(*s.state.inForce().service) }

// Settings returns what is documented of the service, and every setting in force:
// whether it is assumed or was configured, and where. A test that prints them
// tells what its client relies on.
func (s *Server) Settings() []Setting {
	p := s.state.inForce()
	return p.service.Settings(p.places)
}

// Serve answers connections of l until Close, and then returns nil: over TLS, if
// the server has the option. It fails if l does.
func (s *Server) Serve(l net.Listener) error {
	s.setAddress(l)
	return s.serve(s.http, l)
}

// ServeControl answers connections of l like Serve, but with the control plane
// alone, as Control describes it.
func (s *Server) ServeControl(l net.Listener) error { return s.serve(s.controlHTTP, l) }

func (s *Server) serve(server *http.Server, l net.Listener) error {
	l = wire.NewListener(l, wire.Config{Secured: s.config.secured(), ClientTLS: wire.LogClientTLS(s.config.logger)})
	serve := server.Serve
	if s.config.secured() {
		serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	if err := serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// setAddress notes the host and port by which a client on this machine reaches a
// listener, which may stand for all interfaces.
func (s *Server) setAddress(l net.Listener) {
	address := l.Addr().String()
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		address = net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	s.address.Store(&address)
}

// BaseURL returns what a client of the service is configured with, as in
// http://127.0.0.1:8642/api. It does not end in a slash. While a server that was
// made by New listens nowhere, it is the base path alone, to be appended to the
// URL of whatever serves it.
func (s *Server) BaseURL() string {
	basePath := s.state.inForce().service.BasePath
	address := s.address.Load()
	switch {
	case address == nil:
		return basePath
	case s.config.secured():
		return "https://" + *address + basePath
	}
	return "http://" + *address + basePath
}

// Client returns a new HTTP client that reaches the server, for a server made by
// NewTestServer: what its caller changes of it concerns nobody else. It uses no
// proxy, and no connection twice.
func (s *Server) Client() *http.Client { return &http.Client{Transport: s.transport} }

// nowhere is the transport of a server without an address.
type nowhere struct{}

func (nowhere) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, errors.New("a server made by fake.New has no address to send requests to; " +
		"use fake.NewTestServer, or give the server to httptest.NewServer and use that one's Client")
}

// keepConnections has connections used for more than one request, unless one may
// break before an answer. Browsers, and Go's client, silently repeat a request if
// its connection breaks and was used before: the fault would go unseen, and use up
// two replies. A test server never keeps them.
func (s *Server) keepConnections() {
	for {
		breaks := s.test != nil || s.state.breaks()
		s.http.SetKeepAlivesEnabled(!breaks)
		if breaks == (s.test != nil || s.state.breaks()) { // nobody has changed it meanwhile
			return
		}
	}
}

// closing is how long answers that are on their way may take once a server is
// being closed.
const closing = 500 * time.Millisecond

// Close stops the server: it takes no more connections, ends what waits, and
// returns when all handlers have. Answers that are on their way have half a
// second to be read. A closed server answers 503 to whoever calls it as a
// handler. Closing again waits for the same, and does nothing else.
func (s *Server) Close() {
	if !s.state.close(time.Now().Add(closing)) {
		<-s.stopped // by whoever was first
		return
	}
	defer close(s.stopped)
	s.stop()
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	for _, server := range []*http.Server{s.http, s.controlHTTP} {
		if server.Shutdown(ctx) != nil {
			server.Close()
		}
	}
	s.state.wait()
}
