package fake

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/report"
)

// For returns a client of the server for a test that shares the server with others. The
// client has a Token of its own, which no user has until SetUser:
//
//	c := srv.For(t)
//	c.SetUser(c.Token(), fake.User{Generate: &fake.Generate{Count: 3}})
//	client := NewClient(c.BaseURL(), c.Token(), c.HTTPClient())
//
// What goes wrong in a request with that token fails this test, and not that of the
// server, unless the server has WithLenient. When the test ends, replies that were not
// played fail it, and the token and all that the client has changed are put back. What
// arrives later with the token fails no test. A wrong request with another token, or
// without one, fails the test of the server.
//
// The server has to listen: it was made by NewTestServer, or Serve has been called. For
// fails the test at once if it does not, or if its control plane is off. Tests that run in
// parallel may call it at the same time. Main shares a server among the tests of a package.
func (s *Server) For(tb TB) *Client {
	tb.Helper()
	c, err := s.clientFor(tb)
	if err != nil {
		tb.Fatalf("campaignfake: For: %v", err)
		return nil
	}
	tb.Cleanup(func() {
		tb.Helper()
		s.endOf(c)
	})
	return c
}

func (s *Server) clientFor(tb TB) (*Client, error) {
	if s.engine.Listener.Load() == nil {
		return nil, errNoAddress
	}
	if !s.engine.Config.Control {
		return nil, errors.New("the control plane is off, by which its client changes the server; leave out fake.WithoutControl()")
	}
	base, err := url.Parse(s.BaseURL())
	if err != nil {
		return nil, err
	}
	transport := s.transport
	if transport == (noTransport{}) {
		transport = s.newTransport()
	}
	c, err := newClient(base, []ConnectOption{WithHTTPClient(&http.Client{Transport: transport})})
	if err != nil {
		return nil, err
	}
	c.baseURL, c.sharing = s.BaseURL(), &s.engine.Sharing
	c.test = &report.Test{TB: tb, Strict: !s.engine.Config.Lenient}
	if _, err := c.basePath(); err != nil {
		return nil, err
	}
	name := ""
	if named, ok := tb.(interface{ Name() string }); ok {
		name = named.Name()
	}
	c.token = s.engine.Sharing.Add(cmp.Or(name, "test"), c.test, func(token string) bool { return s.engine.User(token).Known })
	c.remember(c.token)
	return c, nil
}

// endOf ends the test of a client that For has made.
func (s *Server) endOf(c *Client) {
	c.test.Helper()
	c.mu.Lock()
	changed := slices.Clone(c.changed)
	c.mu.Unlock()
	unplayed := slices.DeleteFunc(s.engine.Unplayed(), func(u report.Unplayed) bool { return !slices.Contains(changed, u.Token) })
	c.test.ReportUnplayed(unplayed, s.requests(c.token), "")
	s.logOpenBodies(c.test, func(r *http.Request) bool {
		token, _ := advice.BearerToken(r.Header)
		return token == c.token
	})
	if !s.engine.Closed() { // a closed server, as by defer srv.Close(), has nothing to put back
		c.putBack()
	}
	c.test.End()
}
