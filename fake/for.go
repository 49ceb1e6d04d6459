package fake

import (
	"sync"

	"example.com/campaignfake/fake/internal/report"
)

// For returns a client of the server for a test that shares the server with others. The
// client has a Token of its own, which no user has until SetUser:
//
//	c := srv.For(t)
//	c.SetUser(c.Token(), fixtures.User{Generate: &fixtures.Generate{Count: 3}})
//	client := NewClient(c.BaseURL(), c.Token(), c.HTTPClient())
//
// What goes wrong in a request with that token fails this test, and not that of the
// server, unless the server has WithLenient. When the test ends, replies that were not
// played fail it, and the token and all that the client has changed are put back. A wrong
// request with another token, or without one, fails the test of the server.
//
// The server has to listen, or For fails the test at once. Main shares a server among the tests
// of a package.
func (s *Server) For(tb TB) *Client {
	tb.Helper()
	if s.engine.Listener.Load() == nil {
		tb.Fatalf("campaignfake: For: a server made by fake.New has no address; use fake.NewTestServer, or call Serve first")
		return nil
	}
	c := &Client{
		calls:   calls{to: s.to, sharing: s.sharing, test: &report.Test{TB: tb, Strict: !s.engine.Config.Lenient}, changed: new(sync.Map)},
		http:    s.Client(),
		baseURL: s.BaseURL(),
	}
	c.token = s.sharing.Add(c.test, func(token string) bool { return s.engine.User(token).Known })
	tb.Cleanup(func() {
		tb.Helper()
		s.logOpenBodies(tb, c.isOwn)
		c.end()
	})
	return c
}
