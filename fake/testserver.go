package fake

import (
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// TB is the part of testing.TB that a test server needs. A *testing.T and a
// *testing.B are one. Errorf and Logf are called from the goroutines of requests
// as well, several at once, until the cleanup has run.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
	Logf(format string, args ...any)
}

// NewTestServer makes a server for a test, which listens on a port of the
// loopback interface (or on none, with InMemory) until the test ends. It fails
// the test at once if an option is wrong.
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
	c := configure(options)
	if !c.inMemory && inBubble() {
		tb.Fatalf("campaignfake: in a testing/synctest bubble time stands still while a server listens on a port, and whoever waits waits for ever; add the option fake.InMemory()")
		return nil
	}
	if !c.logSet {
		c.logger = slog.New(slog.NewTextHandler(testLog{tb}, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	}
	s, err := newServer(c)
	if err != nil {
		tb.Fatalf("campaignfake: %v", err)
		return nil
	}
	s.test = tb
	if !c.lenient {
		s.strict = tb
	}
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: c.clientTLS(), ForceAttemptHTTP2: true}
	var listener net.Listener
	if c.inMemory {
		memory := newMemoryListener()
		transport.DialContext = memory.dial
		listener = memory
	} else if listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		tb.Fatalf("campaignfake: no port to listen on: %v", err)
		return nil
	}
	s.client = &http.Client{Transport: transport}
	s.http.SetKeepAlivesEnabled(false)
	s.address = listener.Addr().String()
	go s.Serve(listener)
	tb.Cleanup(func() {
		s.Close()
		skipped, _ := tb.(interface{ Skipped() bool })
		if s.strict != nil && (skipped == nil || !skipped.Skipped()) {
			s.checkPlayed(tb)
		}
	})
	return s
}

// inBubble reports whether the clock is that of a testing/synctest bubble, which
// starts with the year 2000. Nothing else tells.
func inBubble() bool { return time.Now().UTC().Year() == 2000 }

// checkPlayed fails the test if replies that were given in Go have not been
// played. A test that has failed already learns of them from its log.
func (s *Server) checkPlayed(tb TB) {
	tb.Helper()
	var b strings.Builder
	s.mu.Lock()
	for _, token := range slices.Sorted(maps.Keys(s.accounts.byToken)) {
		n := s.accounts.byToken[token]
		for _, line := range n.script.unplayed(n.user) {
			fmt.Fprintf(&b, "\n\t%s: %s", ofToken(token), line)
		}
	}
	s.mu.Unlock()
	if b.Len() == 0 {
		return
	}
	if requests := s.Requests(); len(requests) > 0 {
		writeRequests(&b, "These requests arrived", requests)
	} else {
		b.WriteString("\nNo request arrived.")
	}
	report := tb.Errorf
	if tb.Failed() {
		report = tb.Logf
	}
	report("campaignfake: replies were not played:%s\nTake away what is not meant to be met, give it Times: fake.Always, or make the server with fake.Lenient().", b.String())
}

// testLog writes log lines to the log of a test.
type testLog struct{ tb TB }

func (l testLog) Write(line []byte) (int, error) {
	l.tb.Logf("campaignfake: %s", strings.TrimSuffix(string(line), "\n"))
	return len(line), nil
}

// withoutTime leaves out what the log of a test has already, or does not need.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.MessageKey) {
		return slog.Attr{}
	}
	return a
}
