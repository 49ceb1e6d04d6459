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

// A Server fakes the campaign service. It is an http.Handler. Any number of goroutines may use it
// at once. Servers share nothing with each other.
//
// Each user has a bearer token. Requests with one token do not change the answers to requests with
// another token, so tests that run in parallel can share a server if each has its own tokens. They
// share the journal, which keeps the latest 1,000 requests of all tokens. Counts also include older
// requests. A token such as alice~1, with any text after the tilde, sees what alice sees. It has
// its own replies, rate limit and counts, and needs no SetUser.
type Server struct {
	engine    *engine.Engine
	test      *report.Test // the test to which failures are reported
	api       *serve.Handler
	control   *control.Plane
	http      *http.Server
	transport *wire.Transport      // sends the requests of the HTTP clients
	memory    *wire.MemoryListener // HTTP clients connect to it; nil if the server has a port
	stopped   chan struct{}        // is closed at the end of Close

	// keepAlives is held while keep-alives are turned on or off.
	keepAlives sync.Mutex
}

// ServeHTTP answers one request: to the API, to the control plane, or to its page.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if control.IsControl(r) {
		s.control.ServeHTTP(w, r)
	} else {
		s.api.ServeHTTP(w, r)
	}
}

// Service returns a copy of the settings that are in force, defaults included.
func (s *Server) Service() fixtures.Service {
	return s.engine.InForce().Service.Clone()
}

// OpenAPI returns the OpenAPI document of the service with the settings in force: version 3.1, in
// JSON. The control plane has the same document at /_fake/api.json. OpenAPI needs no listener.
func (s *Server) OpenAPI() []byte {
	return control.OpenAPI(s.engine.InForce())
}

// Tally returns counts of what the server has received since it was made. The command writes them
// in its summary.
func (s *Server) Tally() journal.Tally {
	return s.engine.Tally()
}

// BaseURL returns the base URL to give to a client of the service, such as
// http://127.0.0.1:8642/api. It does not end in a slash. Without a listener it is only the base
// path, such as /api: append it to the URL of the server that calls this handler.
func (s *Server) BaseURL() string {
	return s.engine.BaseURL()
}

// Client returns an HTTP client that reaches the server. Each call returns a new client, so its
// Timeout can be changed. The client uses no proxy, and opens a new connection for each request.
func (s *Server) Client() *http.Client {
	return &http.Client{Transport: s.transport}
}

// DialContext connects to an address as the HTTP client of Server.Client does. With WithInMemory it
// connects in memory, and only to this server. Use it in the Transport of your own HTTP client.
func (s *Server) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if s.memory != nil {
		return s.memory.DialContext(ctx, network, address)
	}
	return new(net.Dialer).DialContext(ctx, network, address)
}
