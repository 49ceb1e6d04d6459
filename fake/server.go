package fake

import (
	"context"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// A Server fakes the campaign service. It is an http.Handler, and may be used by
// any number of goroutines at once. Servers share nothing with each other.
//
// Users are keyed by bearer token. The token is also what isolates: tests that
// run in parallel can share a server when each uses tokens of its own.
type Server struct {
	options []Option
	setup   atomic.Pointer[setup] // in force; replaced with mu held
	shared  http.HandlerFunc      // share, bound once
	log     *slog.Logger          // nil if silent

	controlled bool // the control plane is there
	secured    bool // it talks TLS

	reloading sync.Mutex // held while the options are read once more

	parsing sync.Mutex // held while a body of the control plane is parsed

	strict TB // who hears of requests that no client should make; nil if nobody
	test   TB // whose server this is; nil if it was made by New

	// fragile tells a server whose connections can break.
	fragile  atomic.Bool
	reuse    sync.Mutex // held while that changes
	expected int        // how often that is about to become so; guarded by it

	// What a request needs is used again for later ones.
	exchanges, entries sync.Pool

	stopping context.Context // of all that waits
	stop     context.CancelFunc
	shut     chan struct{} // closed at the end of Close
	http     *http.Server
	client   *http.Client

	mu       sync.Mutex
	address  string // host and port, "" while it has none
	accounts *accounts
	journal  *journal
	feed     feed
	tally    Tally
	reloaded reloading
	going    *exchange // the first of those whose handlers have not returned
	closed   bool
	handlers sync.WaitGroup // added to under mu while not closed
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
// Whoever serves it closes it before the server that it is served by, if that
// waits for its handlers, as an httptest.Server does: Close ends what hangs.
//
// It fails if an option cannot be used. Mistakes in fixtures, users and settings
// are reported all at once, as *fixtures.Mistakes.
func New(options ...Option) (*Server, error) {
	c := configure(options)
	if c.inMemory {
		c.wrong = append(c.wrong, errors.New("InMemory is an option of NewTestServer: a server made by New has no connections of its own; leave it out"))
	}
	return newServer(c)
}

func newServer(c *config) (*Server, error) {
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{
		options:    c.options,
		log:        c.logger,
		stopping:   ctx,
		controlled: c.control,
		secured:    c.certificates != nil,
		shut:       make(chan struct{}),
		stop:       stop,
	}
	setup, err := s.newSetup(c)
	if err != nil {
		return nil, err
	}
	s.http = &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerBytes,
		TLSConfig:         c.serverTLS(),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	if s.log != nil {
		s.http.ErrorLog = log.New(connectionLog{s.log}, "", 0)
	}
	s.shared = s.share
	s.journal = newJournal(c.journal, &s.entries)
	s.setup.Store(setup)
	s.accounts = newAccounts(setup)
	s.keepConnections(!s.canBreak())
	s.client = &http.Client{Transport: nowhere{}}
	return s, nil
}

// Service returns the settings that are in force, every one given.
func (s *Server) Service() Service { return Service{}.Overlay(*s.setup.Load().service) }

// Serve answers connections of l until Close, and then returns nil: over TLS, if
// the server has the option. It fails if l does.
func (s *Server) Serve(l net.Listener) error {
	s.mu.Lock()
	s.address = reachable(l.Addr())
	s.mu.Unlock()
	l = &crowdedListener{Listener: l, most: mostConnections, secured: s.secured, log: s.log}
	serve := s.http.Serve
	if s.secured {
		serve = func(l net.Listener) error { return s.http.ServeTLS(l, "", "") }
	}
	if err := serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// reachable returns the host and port by which a client on this machine reaches
// an address, which may stand for all interfaces.
func reachable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return a.String()
}

// BaseURL returns what a client of the service is configured with, as in
// http://127.0.0.1:8642/api. It does not end in a slash. While a server that was
// made by New listens nowhere, it is the base path alone, to be appended to the
// URL of whatever serves it.
func (s *Server) BaseURL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	basePath := s.setup.Load().service.BasePath
	if s.address == "" {
		return basePath
	}
	if s.secured {
		return "https://" + s.address + basePath
	}
	return "http://" + s.address + basePath
}

// Client returns an HTTP client that reaches the server, for a server made by
// NewTestServer. It uses no proxy, and no connection twice.
func (s *Server) Client() *http.Client { return s.client }

// nowhere is the transport of a server without an address.
type nowhere struct{}

func (nowhere) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, errors.New("a server made by fake.New has no address to send requests to; " +
		"use fake.NewTestServer, or give the server to httptest.NewServer and use that one's Client")
}

// closing is how long answers that are on their way may take once a server is
// being closed.
const closing = 500 * time.Millisecond

// Close stops the server: it takes no more connections, ends what waits, and
// returns when all handlers have. Answers that are on their way have half a
// second to be read. A closed server answers 503 to whoever calls it as a
// handler. Closing again waits for the same, and does nothing else.
func (s *Server) Close() {
	s.mu.Lock()
	closed := s.closed
	s.closed = true
	s.journal.wake()
	if !closed {
		s.endReadsAndWrites()
	}
	s.mu.Unlock()
	if closed {
		<-s.shut // by whoever was first
		return
	}
	defer close(s.shut)
	s.stop()
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		s.http.Close()
	}
	s.handlers.Wait()
}
