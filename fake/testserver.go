package fake

import (
	"errors"
	"slices"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/wire"
)

// TB is the part of testing.TB that a test server needs. *testing.T, *testing.B and *testing.F
// implement it. Until the cleanup has run, Errorf and Logf are also called from the goroutines of
// requests, several at once. A TB that has an Output, as that of package testing, gets the lines of
// the log there, and so without the place in the code that Logf puts before each.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
	Logf(format string, args ...any)
}

// NewTestServer makes a server for a test. It listens on a port of the loopback
// interface, or on none with WithInMemory, until the test ends. It fails the test at
// once if an option is wrong.
//
// The server is strict. It fails the test if a request matches nothing, has a query
// parameter, or makes a handler panic. (Requests that net/http answers by itself, as one without a
// Host, never reach it.) When the test ends, it fails the test if replies given by WithUser,
// SetUser or Enqueue, with a finite number of Times, have not been played, unless their user
// repeats them or was removed. A missing or unknown token is not a failure: it is answered 401.
// WithLenient turns strictness off.
//
// A server of a fuzz test, with a *testing.F, is for all calls of the target, which may use it.
// What goes wrong fails the test when it ends, if the target is called with the seeds alone. With
// -fuzz, nothing can fail it then: call srv.For(t) in the target, and ask with the token of that
// Client, whose mistakes fail the call.
//
// Each connection is used for one request. Bodies of answers that its Client has left
// open are closed when the test ends, since a testing/synctest bubble waits for them for ever.
func NewTestServer(tb TB, options ...Option) *Server {
	tb.Helper()
	c := applied(append([]Option{WithTB(tb)}, options...))
	if !c.InMemory && wire.InBubble() {
		c.AddError(errors.New("in a testing/synctest bubble time stands still " +
			"while a server listens on a port, so that delays never end; " +
			"add the option fake.WithInMemory()"))
	}
	s, err := newServer(c)
	if err == nil {
		err = s.listen()
	}
	if err != nil {
		tb.Fatalf("campaignfake: %v", err)
		return nil
	}
	return s
}

// listen serves a port, or connections in memory.
func (s *Server) listen() error {
	if !s.engine.Config.InMemory {
		return s.Listen("127.0.0.1:0")
	}
	s.memory = wire.NewMemoryListener()
	s.serveInBackground(s.memory)
	return nil
}

// endTest closes the server when its test ends, and fails the test if required replies have
// not been played. Bodies of answers that its clients have left open are closed last: until then,
// what a closed server has sent can be read.
func (s *Server) endTest() {
	s.test.Helper()
	s.Close()
	unplayed := slices.DeleteFunc(s.engine.Unplayed(engine.Scope{}), isOptional)
	if len(unplayed) > 0 {
		s.test.ReportUnplayed(unplayed, s.Requests())
	}
	s.transport.CloseBodies()
	s.test.End()
}

// isOptional reports whether a reply need not be played.
func isOptional(u report.Unplayed) bool {
	return !u.Required
}
