package fake

import (
	"log/slog"
	"net"
	"net/http"
	"strings"

	"example.com/campaignfake/fake/internal/wire"
)

// NewTestServer makes a server for a test, which listens on a port of the
// loopback interface (or on none, with InMemory) until the test ends. It fails
// the test at once if an option is wrong. In a fuzz test it belongs into the
// function that is fuzzed, with that one's *testing.T.
//
// It is strict: a request that matches nothing, a query parameter, or a panic in
// a handler fails the test, with what was received and what would have matched.
// So do a Prefer header that cannot be honoured and, at the end, replies that were
// given by WithUser, SetUser or Enqueue a finite number of times, and were not
// all played; those of a user that was replaced or removed, or that repeats its
// replies, are not asked for. A missing or unknown token is no failure: it is
// answered 401. Lenient turns strictness off.
//
// No connection is used twice, since a client may silently repeat a request
// whose connection, used before, breaks.
func NewTestServer(tb TB, options ...Option) *Server {
	tb.Helper()
	if _, fuzz := tb.(interface{ Fuzz(any) }); fuzz {
		tb.Fatalf("campaignfake: a *testing.F takes no failures while its function is fuzzed; make the server in that function, as f.Fuzz(func(t *testing.T, …) { srv := fake.NewTestServer(t) … })")
		return nil
	}
	t := &test{tb: tb}
	c := configure(options, slog.New(slog.NewTextHandler(t, &slog.HandlerOptions{ReplaceAttr: withoutTime})))
	t.strict = !c.lenient
	if !c.inMemory && wire.InBubble() {
		tb.Fatalf("campaignfake: in a testing/synctest bubble time stands still while a server listens on a port, and whoever waits waits for ever; add the option fake.InMemory()")
		return nil
	}
	s, err := newServer(c, t)
	if err != nil {
		tb.Fatalf("campaignfake: %v", err)
		return nil
	}
	listener, err := s.listenForTest()
	if err != nil {
		tb.Fatalf("campaignfake: no port to listen on: %v", err)
		return nil
	}
	s.setAddress(listener)
	go s.Serve(listener)
	tb.Cleanup(func() {
		s.Close()
		s.checkPlayed()
		t.end()
	})
	return s
}

// listenForTest makes the listener of a test server, and the transport of its
// clients.
func (s *Server) listenForTest() (net.Listener, error) {
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: s.config.clientTLS(), ForceAttemptHTTP2: true}
	s.transport = transport
	if !s.config.inMemory {
		return net.Listen("tcp", "127.0.0.1:0")
	}
	memory := wire.NewMemoryListener()
	transport.DialContext = memory.DialContext
	return memory, nil
}

// checkPlayed fails the test if replies that were given in Go have not been
// played. A test that has failed already learns of them from its log.
func (s *Server) checkPlayed() {
	t := s.test
	t.Helper()
	unplayed := s.state.unplayed()
	skipped, _ := t.tb.(interface{ Skipped() bool })
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
	report := t.tb.Errorf
	if t.tb.Failed() {
		report = t.tb.Logf
	}
	report("campaignfake: replies were not played:%s\nTake away what is not meant to be met, give it Times: fake.Always, or make the server with fake.Lenient().", b.String())
}

// withoutTime leaves out what the log of a test has already, or does not need.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.MessageKey) {
		return slog.Attr{}
	}
	return a
}
