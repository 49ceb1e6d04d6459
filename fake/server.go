package fake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/campaignfake/fixtures"
	"github.com/gorilla/mux"
	"github.com/rs/cors"
)

// A Server fakes the campaign service. It is an http.Handler, and may be used by
// any number of goroutines at once. Servers share nothing with each other.
//
// Users are keyed by bearer token. The token is also what isolates: tests that
// run in parallel can share a server when each uses tokens of its own.
type Server struct {
	service Service // every setting given
	router  *mux.Router
	cors    *cors.Cors // nil if off
	answers answers
	log     *slog.Logger // nil if silent
	first   map[string]*user

	strict TB // who hears of requests that no client should make; nil if nobody
	test   TB // whose server this is; nil if it was made by New

	stop   context.CancelFunc // ends what waits
	http   *http.Server
	client *http.Client

	mu       sync.Mutex
	address  string // host and port, "" while it has none
	accounts *accounts
	journal  *journal
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
// The error holds every mistake in the options, as *fixtures.Mistakes.
func New(options ...Option) (*Server, error) {
	c, err := configure(options)
	if err != nil {
		return nil, err
	}
	if c.inMemory {
		return nil, errors.New("InMemory is an option of NewTestServer: a server made by New has no connections of its own; leave it out")
	}
	return newServer(c)
}

func configure(options []Option) (*config, error) {
	c := &config{
		users:   make(map[string]User),
		service: fixtures.DefaultService(),
		journal: journalRequests,
	}
	c.service.UnknownTokens = "reject"
	var mistakes []error
	for _, option := range options {
		if err := option(c); err != nil {
			mistakes = append(mistakes, err)
		}
	}
	return c, errors.Join(mistakes...)
}

func newServer(c *config) (*Server, error) {
	set := fixtures.Set{Service: c.service, Users: c.users}
	if err := set.Check(); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{
		service: c.service,
		log:     c.logger,
		cors:    newCORS(c.service.CORS),
		first:   make(map[string]*user, len(c.users)),
		stop:    stop,
		journal: newJournal(c.journal),
	}
	s.answers = newAnswers(s.service)
	for token, u := range c.users {
		user, err := newUser(s.service, token, u)
		if err != nil {
			return nil, err
		}
		s.first[token] = user
	}
	s.accounts = newAccounts(s.first)
	if s.service.UnknownTokens == "generate" {
		s.accounts.makeUnknown = func(token string) *user { return newUnknownUser(s.service, token) }
	}
	s.router = s.routes()
	s.http = &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerBytes,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	if s.log != nil {
		s.http.ErrorLog = slog.NewLogLogger(s.log.Handler(), slog.LevelWarn)
	}
	s.client = &http.Client{Transport: nowhere{}}
	return s, nil
}

// Service returns the settings that are in force, every one given.
func (s *Server) Service() Service { return Service{}.Overlay(s.service) }

// Serve answers connections of l until Close, and then returns nil. It fails if
// l does.
func (s *Server) Serve(l net.Listener) error {
	s.mu.Lock()
	s.address = reachable(l.Addr())
	s.mu.Unlock()
	if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
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

// BaseURL returns what a client of the service is configured with: the address
// of the server, if it listens, and the base path, as in
// http://127.0.0.1:8642/api. It does not end in a slash.
func (s *Server) BaseURL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.address == "" {
		return s.service.BasePath
	}
	return "http://" + s.address + s.service.BasePath
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
// returns when all handlers have. Closing again does nothing.
func (s *Server) Close() {
	s.mu.Lock()
	closed := s.closed
	s.closed = true
	s.journal.wake()
	s.mu.Unlock()
	if !closed {
		s.stop()
		ctx, cancel := context.WithTimeout(context.Background(), closing)
		defer cancel()
		if s.http.Shutdown(ctx) != nil {
			s.http.Close()
		}
	}
	s.handlers.Wait()
	if t, ok := s.client.Transport.(*http.Transport); ok && !closed {
		t.CloseIdleConnections()
	}
}

// ServeHTTP answers one request.
//
// A request is entered into the journal when it arrives. What follows is in
// this order: preflight, route (404, 405), credentials (401), campaigns.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{ResponseWriter: w, server: s, request: r}
	if !s.arrive(x) {
		http.Error(w, "The server is closed.", http.StatusServiceUnavailable)
		return
	}
	defer s.leave(x)
	switch {
	case x.entry == nil: // no part of the service: no CORS for it either
	case s.cors != nil && isPreflight(r):
		s.preflight(x)
		return
	case s.cors != nil:
		s.cors.HandlerFunc(x, r)
	}
	// The router is asked for the route alone: its own ServeHTTP redirects
	// doubled slashes, and copies the request to attach variables to it.
	var match mux.RouteMatch
	s.router.Match(r, &match)
	match.Handler.ServeHTTP(x, r)
}

// arrive enters a request into the journal. It returns false if the server is
// closed.
func (s *Server) arrive(x *exchange) bool {
	e := newEntry(x.request)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.handlers.Add(1)
	if e != nil {
		x.entry = e
		x.account = s.accounts.arrived(e.token)
		x.user = x.account.user
		s.journal.add(e)
	}
	return true
}

// leave is called when a handler is done, or has panicked.
func (s *Server) leave(x *exchange) {
	defer s.handlers.Done()
	if p := recover(); p != nil {
		x.complete(0, fmt.Sprintf("the handler panicked: %v", p))
		if s.strict != nil && p != http.ErrAbortHandler {
			s.strict.Errorf("campaignfake: the handler panicked on %s %s: %v\n%s", x.request.Method, x.request.URL, p, debug.Stack())
			p = http.ErrAbortHandler
		}
		s.logExchange(x)
		panic(p)
	}
	s.logExchange(x)
}

// logExchange writes the line of the access log.
func (s *Server) logExchange(x *exchange) {
	if s.log == nil || x.entry == nil {
		return
	}
	token := x.entry.token
	if token != "" && !x.account.known {
		token = mask(token)
	}
	level := slog.LevelInfo
	if x.unmatched {
		level = slog.LevelWarn
	}
	s.log.LogAttrs(context.Background(), level, "request",
		slog.String("method", x.request.Method),
		slog.String("path", x.request.URL.Path),
		slog.Int("status", x.status),
		slog.String("token", token),
		slog.Duration("duration", x.duration),
		slog.String("reason", x.reason))
}

// mask hides a token that may be somebody's real one.
func mask(token string) string {
	const shown = 4
	if len(token) < 4*shown {
		return "…"
	}
	return token[:shown] + "…"
}

// An exchange is one request and its answer. Handlers write through it, so that
// the journal is complete before the client has the whole answer.
type exchange struct {
	http.ResponseWriter
	server  *Server
	request *http.Request
	account *account
	user    *user  // as it was when the request arrived; nil if the token has none
	entry   *entry // nil for what is no part of the service

	status    int
	reason    string
	duration  time.Duration
	unmatched bool
	completed bool
	kept      int // bytes of the body that the account keeps
}

// because says why the answer is what it will be.
func (x *exchange) because(format string, args ...any) { x.reason = fmt.Sprintf(format, args...) }

// WriteHeader completes the entry in the journal, and sends the header.
func (x *exchange) WriteHeader(status int) {
	x.complete(status, x.reason)
	x.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

func (x *exchange) complete(status int, reason string) {
	if x.completed {
		return
	}
	x.completed = true
	x.status, x.reason = status, reason
	if x.entry == nil {
		return
	}
	x.duration = time.Since(x.entry.at)
	s := x.server
	s.mu.Lock()
	defer s.mu.Unlock()
	x.entry.status, x.entry.reason, x.entry.duration, x.entry.unmatched = status, reason, x.duration, x.unmatched
	if x.kept > 0 {
		s.accounts.charge(x.account, x.kept)
	}
}

// isPreflight reports a browser's question whether it may send a request.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

// isOutside reports paths that are no part of the service, whose requests the
// journal leaves out: the control plane, and what browsers ask for by
// themselves.
func isOutside(path string) bool {
	return path == "/" || path == "/favicon.ico" || path == "/_fake" || strings.HasPrefix(path, "/_fake/")
}
