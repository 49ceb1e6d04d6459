package fake

import (
	"log/slog"
	"net"
	"net/http"
	"strings"
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
// So do, at its end, replies that were given by WithUser, SetUser or Enqueue a
// finite number of times, and were not all played. A missing or unknown token is
// no failure: it is answered 401. Lenient turns strictness off.
//
// No connection is used twice, since a client may silently repeat a request
// whose connection, used before, breaks.
func NewTestServer(tb TB, options ...Option) *Server {
	tb.Helper()
	c := configure(options)
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
	transport := &http.Transport{DisableKeepAlives: true}
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
		if s.strict != nil {
			s.checkPlayed(tb)
		}
	})
	return s
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
