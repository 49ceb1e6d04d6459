package fake

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"example.com/campaignfake/fake/internal/control"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/serve"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
)

// A Server fakes the campaign service. It is an http.Handler, and may be used by
// any number of goroutines at once. Servers share nothing with each other.
//
// Users are keyed by bearer token. Tokens do not affect each other: tests that run
// in parallel can share a server if each uses its own tokens. One such as alice~1, with any
// text after the tilde, is a user of its own that is like alice: it needs no SetUser.
type Server struct {
	engine    *engine.Engine
	test      *report.Test // is told what goes wrong
	api       *serve.Handler
	control   *control.Plane
	http      *http.Server
	transport *wire.Transport      // of its clients
	memory    *wire.MemoryListener // that these reach; nil with a port
	open      sync.WaitGroup       // the connections that net/http serves
	stopped   chan struct{}        // closed at the end of Close
}

// ServeHTTP answers one request: to the API, to the control plane, or to its page.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if control.IsControl(r) {
		s.control.ServeHTTP(w, r)
	} else {
		s.api.ServeHTTP(w, r)
	}
}

// Service returns the settings that are in force, defaults included.
func (s *Server) Service() fixtures.Service {
	return s.engine.InForce().Service.Clone()
}

// Tally returns what the server has received since it was made. It is a copy, for the
// summary of the command.
func (s *Server) Tally() journal.Tally { return s.engine.Tally() }

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

// BaseURL returns the URL that a client of the service is configured with, as
// http://127.0.0.1:8642/api. It does not end in a slash. Without a listener it is the base
// path alone, to be appended to the URL of the server that uses the handler.
func (s *Server) BaseURL() string { return s.engine.BaseURL() }

// Client returns an HTTP client that reaches the server. Each call returns a new one, so that
// its Timeout can be changed. It uses no proxy, and a new connection for each request.
func (s *Server) Client() *http.Client { return &http.Client{Transport: s.transport} }

// DialContext connects to an address as the Client does: in memory to this server alone. It is
// for the Transport of a client of your own.
func (s *Server) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if s.memory != nil {
		return s.memory.DialContext(ctx, network, address)
	}
	return new(net.Dialer).DialContext(ctx, network, address)
}

// setKeepAlives allows connections to be used for more than one request, unless one may break
// before an answer, as in a test. Browsers and Go's client silently repeat a request if its
// connection breaks and was used before: the fault would not be seen, and use up two replies.
func (s *Server) setKeepAlives() {
	for {
		once := s.engine.Breaks()
		s.http.SetKeepAlivesEnabled(!once)
		if once == s.engine.Breaks() { // no other goroutine has changed it meanwhile
			return
		}
	}
}

// closeTimeout is how long answers in flight may take once a server is being closed.
const closeTimeout = 500 * time.Millisecond

// Shutdown stops the server as Close does, but first lets answers in flight end until ctx
// is done. Those that are delayed are sent at once; requests that are held, and faults that
// wait, end without an answer. It accepts no more requests meanwhile.
func (s *Server) Shutdown(ctx context.Context) {
	s.engine.End()
	s.http.Shutdown(s.engine.Ending) // which is done: this closes listeners, and what is idle, and does not wait
	stop := context.AfterFunc(ctx, s.Close)
	s.engine.Wait()
	stop()
	s.Close()
}

// Close stops the server: it accepts no more connections, ends delays and faults that wait, and
// returns when all handlers have returned. Clients have half a second to read the answers in
// flight. As a handler, a closed server answers 503.
func (s *Server) Close() {
	if !s.engine.Close(time.Now().Add(closeTimeout)) {
		<-s.stopped // by the first call
		return
	}
	defer close(s.stopped)
	s.http.Shutdown(s.engine.Stopping) // which is done: this closes what is idle, and does not wait
	timeout := time.AfterFunc(closeTimeout, func() { s.http.Close() })
	s.open.Wait()
	timeout.Stop()
	s.engine.Wait()
}
