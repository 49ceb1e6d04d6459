package fake

import (
	"errors"
	"slices"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/wire"
)

// TB is the part of testing.TB that a test server needs. *testing.T and *testing.B implement it.
// Until the cleanup has run, goroutines that answer requests also call Errorf and Logf, several at
// once. If a TB has the method Output of package testing, the server writes the lines of its log
// there. Unlike Logf, Output does not put a file name and a line number before them.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
	Logf(format string, args ...any)
}

// NewTestServer makes a server for a test. The server listens on a port of the loopback interface
// until the test ends; with WithInMemory it needs no port. NewTestServer fails the test at once if
// an option is wrong.
//
// The server is strict. It fails the test if a request matches nothing, has a query parameter, or
// makes a handler panic, or if a fault cannot be delivered. (The server does not see requests that
// net/http answers by itself, such as a request without a Host.) A missing or unknown token is not
// a failure: the server answers 401.
//
// A strict test also fails at its end if replies have not been played. This holds for replies that
// WithUser, SetUser or Enqueue gave with a finite number of Times. It does not hold for replies of
// a user with Repeat, or of a user that was removed. The replies of alice also count as played if
// another token that sees this user has played them: a token such as alice~1, or a token to which
// SetUserLike has copied alice. WithLenient turns strictness off.
//
// NewTestServer refuses a *testing.F, since package testing allows no report to it while the fuzz
// target runs. In a fuzz test, make the server in the target, with the *testing.T of the target.
// Add WithInMemory, since each input would open a port otherwise.
//
// The HTTP client of Server.Client uses each connection for one request. A test may leave bodies of
// answers open. The server closes them when the test ends, because a testing/synctest bubble would
// wait for them for ever.
func NewTestServer(tb TB, options ...Option) *Server {
	if tb == nil {
		panic("campaignfake: NewTestServer: the test is nil; " +
			"give the *testing.T of the test, or without one call fake.New and Listen")
	}
	tb.Helper()
	setup := applied(append([]Option{WithTB(tb)}, options...))
	if !setup.InMemory && wire.InBubble() {
		setup.AddError(errors.New(timeStandsStill + "add the option fake.WithInMemory()"))
	}
	s, err := newServer(setup)
	if err == nil {
		err = s.listen()
	}
	if err != nil {
		tb.Fatalf("campaignfake: %v", err)
		return nil
	}
	return s
}

// timeStandsStill is the start of an error message. NewTestServer and For report it if a test in a
// testing/synctest bubble makes or uses a server that listens on a port. Without the message the
// test would wait for ever, and nothing would say why.
const timeStandsStill = "in a testing/synctest bubble time stands still " +
	"while a server listens on a port, so that delays never end; "

// listen starts to serve a port, or connections in memory.
func (s *Server) listen() error {
	if !s.engine.Config.InMemory {
		return s.Listen("127.0.0.1:0")
	}
	s.memory = wire.NewMemoryListener()
	s.serveInBackground(s.memory)
	return nil
}

// endTest closes the server when its test ends, and fails the test if required replies have not
// been played. In the end it closes the bodies of answers that clients have left open: until then,
// clients can read the rest of an answer.
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
