package fake

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"example.com/campaignfake/fake/internal/wire"
	"github.com/gorilla/mux"
	"github.com/rs/cors"
)

// A Server fakes the campaign service. It is an http.Handler, and may be used by
// any number of goroutines at once. Servers share nothing with each other.
//
// Users are keyed by bearer token. Tokens do not affect each other: tests that run
// in parallel can share a server if each uses its own tokens.
type Server struct {
	config      *config
	state       *state // everything that changes
	test        *test  // failures are reported to it
	http        *http.Server
	controlHTTP atomic.Pointer[http.Server] // for a control plane with an address of its own
	transport   http.RoundTripper           // of its clients
	listener    atomic.Pointer[net.Listener]
	exchanges   sync.Pool // finished ones, whose memory is used again
	control     func() *mux.Router
	controlCORS func() *cors.Cors // nil if no origin is listed

	certificates atomic.Pointer[[]tls.Certificate] // in force
	connections  wire.Connections                  // of all listeners
	held         atomic.Int64                      // bytes of the bodies and answers of the control plane
	composing    sync.Mutex                        // held while a large answer of the control plane is made
	composers    atomic.Int64                      // calls that hold it, or wait for it

	// reading is held while fixtures, or a body sent to the control plane, are read.
	// Reading takes many times their size in memory, so it is done one at a time.
	reading sync.Mutex

	stopping context.Context // done when the server is closed
	stop     context.CancelFunc
	stopped  chan struct{} // closed at the end of Close
}

// Service returns the settings that are in force, defaults included.
func (s *Server) Service() Service { return Service{}.Overlay(*s.state.inForce().service) }

// Settings returns what is documented of the service and every setting in force,
// with whether it is assumed or configured, and where. A test can print them to
// show what its client relies on.
func (s *Server) Settings() []Setting {
	p := s.state.inForce()
	return p.service.Settings(p.places)
}

// Tally returns what the server has received since it was made. It is a copy, for the
// summary of the command.
func (s *Server) Tally() Tally { return s.state.received() }

// Serve answers connections of l until Close, over TLS if the server has that
// option. It returns nil after Close, and an error if l fails.
func (s *Server) Serve(l net.Listener) error {
	s.listener.Store(&l)
	return s.serve(s.http, l)
}

// ServeControl answers connections of l like Serve, but with the control plane
// alone, as Control describes it.
func (s *Server) ServeControl(l net.Listener) error {
	s.controlHTTP.CompareAndSwap(nil, s.newHTTPServer(s.Control()))
	if s.stopping.Err() != nil { // Close may have looked before it was there
		return l.Close()
	}
	return s.serve(s.controlHTTP.Load(), l)
}

func (s *Server) serve(server *http.Server, l net.Listener) error {
	limits := s.config.limits
	config := wire.Config{
		Limit: limits.Connections, Open: &s.connections, Few: s.config.test != nil, Secured: s.config.secured(),
		ClientTLS: wire.LogClientTLS(s.config.logger), ClientHTTP2: wire.LogClientHTTP2(s.config.logger),
	}
	if limits.Memory > 0 {
		config.Buffer, config.Reason = socketBuffer, limits.of()
	}
	l = wire.NewListener(l, config)
	serve := server.Serve
	if s.config.secured() {
		serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	if err := serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// socketBuffer is about how many bytes the kernel holds for each side of a connection,
// if the memory has a limit: by itself it takes up to several megabytes.
const socketBuffer = 32 << 10

// addressOf returns the host and port at which a client on this machine reaches a
// listener, which may listen on all interfaces.
func addressOf(l net.Listener) string {
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return l.Addr().String()
}

// BaseURL returns the URL that a client of the service is configured with, as
// http://127.0.0.1:8642/api. It does not end in a slash. For a server made by New
// that does not serve a listener it is the base path alone, to be appended to the
// URL of the server that uses the handler.
func (s *Server) BaseURL() string {
	basePath := s.state.inForce().service.BasePath
	listener := s.listener.Load()
	switch {
	case listener == nil:
		return basePath
	case s.config.secured():
		return "https://" + addressOf(*listener) + basePath
	}
	return "http://" + addressOf(*listener) + basePath
}

// wanted returns the URL that a client should request.
func (s *Server) wanted() string { return s.BaseURL() + campaignsPath }

// Client returns an HTTP client that reaches a server made by NewTestServer. Each
// call returns a new one, so that its Timeout can be changed. It uses no proxy, and
// a new connection for each request, unless the server has the option KeepAlive.
func (s *Server) Client() *http.Client { return &http.Client{Transport: s.transport} }

// DialContext connects to a server made by NewTestServer, which may be in memory. It
// never connects to another: it fails if the address has another port than the server,
// or, in memory, another host. It is for the Transport of a client of your own; with TLS,
// give that RootCAs, too.
func (s *Server) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	transport, ok := s.transport.(*http.Transport)
	switch {
	case !ok:
		return nil, errNoAddress
	case transport.DialContext != nil:
		return transport.DialContext(ctx, network, address)
	}
	own := addressOf(*s.listener.Load())
	_, ownPort, _ := net.SplitHostPort(own)
	if _, port, _ := net.SplitHostPort(address); port != ownPort {
		return nil, fmt.Errorf("the server is at %s, not at %s; build the URL from the server's BaseURL", own, address)
	}
	return new(net.Dialer).DialContext(ctx, network, own)
}

// noTransport is the transport of a server without an address.
type noTransport struct{}

func (noTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, errNoAddress
}

var errNoAddress = errors.New("a server made by fake.New has no address to send requests to; " +
	"use fake.NewTestServer, or give the server to httptest.NewServer and use that one's Client")

// setKeepAlives allows connections to be used for more than one request, unless one
// may break before an answer. Browsers and Go's client silently repeat a request if
// its connection breaks and was used before: the fault would not be seen, and two
// replies would be used up. A test server allows it only with KeepAlive.
func (s *Server) setKeepAlives() {
	for {
		once := s.usesOnce() || s.state.breaks()
		if once { // before the server closes what the client may be about to use
			s.Client().CloseIdleConnections()
		}
		s.http.SetKeepAlivesEnabled(!once)
		if once == (s.usesOnce() || s.state.breaks()) { // no other goroutine has changed it meanwhile
			return
		}
	}
}

// usesOnce reports whether each connection is used for one request, whatever the
// answers are.
func (s *Server) usesOnce() bool { return s.config.test != nil && !s.config.keepAlive }

// panicked tells a strict test that a handler has panicked, and goes on with the
// panic. Where a test was told, net/http does not log it once more.
func (s *Server) panicked(r *http.Request, p any) {
	if p != http.ErrAbortHandler {
		s.test.fail("campaignfake: the handler panicked on %s: %v\n%s", describe(r), p, debug.Stack())
	}
	if s.config.test != nil {
		p = http.ErrAbortHandler
	}
	panic(p)
}

// closeTimeout is how long answers in flight may take once a server is being
// closed.
const closeTimeout = 500 * time.Millisecond

// Close stops the server: it accepts no more connections, ends delays and faults
// that wait, and returns when all handlers have returned. Clients have half a
// second to read the answers in flight. As a handler, a closed server answers 503.
// A second call waits until the first has returned.
func (s *Server) Close() {
	if !s.state.close(time.Now().Add(closeTimeout)) {
		<-s.stopped // by the first call
		return
	}
	defer close(s.stopped)
	s.stop()
	s.Client().CloseIdleConnections() // first: a server that shuts down takes idle ones of HTTP/2 for busy
	servers := []*http.Server{s.http}
	if control := s.controlHTTP.Load(); control != nil {
		servers = append(servers, control)
	}
	for _, server := range servers {
		server.Shutdown(s.stopping) // which is done: this closes what is idle, and does not wait
	}
	if none := s.connections.None(); none != nil {
		select {
		case <-none:
		case <-time.After(closeTimeout):
		}
	}
	for _, server := range servers {
		server.Close()
	}
	s.state.wait()
}
