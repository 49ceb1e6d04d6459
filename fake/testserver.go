package fake

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"example.com/campaignfake/fake/internal/wire"
)

// NewTestServer makes a server for a test. It listens on a port of the loopback
// interface, or on none with InMemory, until the test ends. It fails the test at
// once if an option is wrong. In a fuzz test, make the server in the fuzzed
// function, with that function's *testing.T.
//
// The server is strict. It fails the test if a request matches nothing, has a query
// parameter, has a Prefer header that cannot be honoured, or makes a handler panic;
// the message says what was received and what would have matched. When the test
// ends, it fails the test if replies given by WithUser, SetUser or Enqueue, with a
// finite number of Times, have not been played. That does not hold for replies of a
// user that repeats them, or that was replaced or removed. A missing or unknown
// token is not a failure: it is answered 401. Lenient turns strictness off.
//
// Each connection is used for one request, since clients silently repeat a request
// if its connection breaks and was used before. KeepAlive changes that.
func NewTestServer(tb TB, options ...Option) *Server {
	tb.Helper()
	c := configure(append([]Option{Strict(tb)}, options...))
	if !c.inMemory && wire.InBubble() {
		c.wrong = append(c.wrong, errors.New("in a testing/synctest bubble time stands still while a server listens on a port, so that delays never end; add the option fake.InMemory()"))
	}
	s, err := newTestServer(c)
	if err != nil {
		return nil
	}
	listener, err := s.listenForTest()
	if err != nil {
		tb.Fatalf("campaignfake: no port to listen on: %v", err)
		return nil
	}
	s.listener.Store(&listener)
	go s.Serve(listener)
	return s
}

// newTestServer makes a server that reports to a test, and closes it when the test ends.
// It fails the test at once if it cannot be made.
func newTestServer(c *config) (*Server, error) {
	tb := c.test.TB
	tb.Helper()
	s, err := newServer(c)
	if err != nil {
		tb.Fatalf("campaignfake: %v", err)
		return nil, err
	}
	tb.Cleanup(func() {
		tb.Helper()
		s.Close()
		s.checkPlayed()
		s.test.end()
	})
	return s, nil
}

// listenForTest makes the listener of a test server, and the transport of its
// clients.
func (s *Server) listenForTest() (net.Listener, error) {
	transport := &http.Transport{DisableKeepAlives: !s.config.keepAlive, TLSClientConfig: s.clientTLS(), ForceAttemptHTTP2: true}
	if !s.config.secured() {
		transport.Protocols = onlyHTTP1()
	}
	s.transport = transport
	if !s.config.inMemory {
		return net.Listen("tcp", "127.0.0.1:0")
	}
	memory := wire.NewMemoryListener()
	transport.DialContext = memory.DialContext
	return memory, nil
}

// checkPlayed fails the test if required replies have not been played. If the test
// has already failed, they are written to its log.
func (s *Server) checkPlayed() {
	t := s.test
	t.Helper()
	unplayed := s.state.unplayed()
	skipped, _ := t.TB.(interface{ Skipped() bool })
	if !t.strict || len(unplayed) == 0 || skipped != nil && skipped.Skipped() {
		return
	}
	var b strings.Builder
	for _, line := range unplayed {
		b.WriteString("\n\t" + line)
	}
	if requests := s.Requests(); len(requests) > 0 {
		writeRequests(&b, "These requests arrived", requests, notCounted)
	} else {
		b.WriteString("\nNo request arrived.")
	}
	report := t.Errorf
	if t.Failed() {
		report = t.Logf
	}
	report("campaignfake: replies were not played:%s\nRemove the replies that are not needed, give them Times: fake.Always, or make the server with fake.Lenient().", b.String())
}

// withoutTime removes from the log of a test the time, and the message of requests, which
// is always the same.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.MessageKey && a.Value.String() == "request") {
		return slog.Attr{}
	}
	return a
}
