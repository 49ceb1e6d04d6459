package fake

import (
	"context"
	"net"
	"net/http"
	"sync"

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

// OpenAPI returns the OpenAPI document (3.1, in JSON) of the service with the settings in force, as
// the control plane has it at /_fake/api.json. The server needs no listener for it.
func (s *Server) OpenAPI() []byte { return control.OpenAPI(s.engine.InForce()) }

// Tally returns what the server has received since it was made. It is a copy, for the
// summary of the command.
func (s *Server) Tally() journal.Tally { return s.engine.Tally() }

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
