package fake

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// A Client gives one test a token of its own on a shared server. Server.For returns a Client, and
// so does Like of another Client. Each method does for this token what the method of Server with
// the same name does for any token. Where the method of Server fails the test of the server, the
// method of Client fails the test of the Client. After the test has ended, SetUser, SetUserLike,
// RemoveUser, Enqueue, AwaitRequests and AwaitAnswers only return an error, which fails no test.
// Any number of goroutines may use a Client at once.
type Client struct {
	server   *Server
	test     *report.Test
	ownToken string // the token of the test
	token    string // ownToken, or for a client of Like("flaky"): flaky~ and ownToken
}

// errTestEnded is the error of methods of a Client that change or await something after the test
// has ended. Nobody would undo such a change.
var errTestEnded = errors.New("the test of this client has ended, and its token was put back; " +
	"get a client with For in each test, and wait for goroutines before it ends")

// For returns a client of the server for a test that shares the server with others. The client has
// a Token that no other test has, and a new one each time the test runs. No user has this token
// until SetUser:
//
//	c := srv.For(t)
//	c.SetUser(fixtures.User{Generate: &fixtures.Generate{Count: 3}})
//	client := NewClient(c.BaseURL(), c.Token(), c.HTTPClient())
//
// The server writes the log lines about the tokens of this test to the log of this test, unless the
// server has WithLogger. The tokens of this test are the token of the client, and the tokens that
// Like makes from it. What goes wrong in a request with such a token fails this test, and not the
// test of the server. When this test ends, replies that were not played fail it, and the server
// resets the tokens of this test, as Reset does. WithLenient turns these failures off.
//
// What goes wrong in a request with any other token, or without a token, fails the test of the
// server. If the server has no test, Server.Tally describes the wrong requests.
//
// For fails the test at once, as Fatalf does, if the server does not listen, if it is closed, or if
// tb is a *testing.F. It also fails in a testing/synctest bubble if the server listens on a port.
func (s *Server) For(tb TB) *Client {
	if tb == nil {
		panic("campaignfake: For: the test is nil; give the *testing.T of the test")
	}
	tb.Helper()
	if s.engine.Listener.Load() == nil {
		tb.Fatalf("campaignfake: For: a server made by fake.New has no address; " +
			"use fake.NewTestServer, or call Listen first")
		return nil
	}
	if s.engine.Ended() {
		tb.Fatalf("campaignfake: For: the server is closed; make another server")
		return nil
	}
	if err := report.Check(tb); err != nil {
		tb.Fatalf("campaignfake: For: %v", err)
		return nil
	}
	if !s.engine.Config.InMemory && wire.InBubble() {
		tb.Fatalf("campaignfake: For: %smake a server for this test alone, inside the bubble, "+
			"with fake.NewTestServer(t, fake.WithInMemory())", timeStandsStill)
		return nil
	}
	test := report.New(tb)
	test.Strict = !s.engine.Config.Lenient
	run := s.engine.Sharing.Add(test)
	token := report.TokenOf(test, run)
	c := &Client{server: s, test: test, ownToken: token, token: token}
	tb.Cleanup(func() { c.endTest(run) })
	return c
}

// endTest fails the test if replies for its tokens were not played, and resets its tokens.
func (c *Client) endTest(run string) {
	c.test.Helper()
	requests := c.requestsOfTest()
	scope := engine.OfRun(run)
	if len(requests) == 0 { // the client may have sent another token by mistake
		requests = c.server.requestsOfNoTest()
	}
	c.test.ReportUnplayed(c.server.engine.Unplayed(scope), requests)
	c.server.engine.Reset(scope)
	c.test.End()
}

// requestsOfTest returns the requests that carry a token of the test.
func (c *Client) requestsOfTest() []journal.Request {
	return slices.DeleteFunc(c.server.Requests(), func(r journal.Request) bool {
		return c.server.engine.Sharing.Of(r.Token) != c.test
	})
}

// requestsOfNoTest returns the requests whose token belongs to no test.
func (s *Server) requestsOfNoTest() []journal.Request {
	return slices.DeleteFunc(s.Requests(), func(r journal.Request) bool {
		return s.engine.Sharing.Of(r.Token) != nil
	})
}

// Like returns a client of the same test. The token of this client gets the answers of a user of
// the server, and the argument user is the token of this user. If the token of the test is
// NAME~RUN, the client of Like("flaky") has the token flaky~NAME~RUN. This token has its own
// replies, limits and counts. At its first request for the campaigns, it takes the user that flaky
// has, and keeps this user even if flaky gets another user later.
//
// Like ends the test at once, as Fatalf does, if the argument user is not exactly the token of a
// user. Call Like from the goroutine of the test.
func (c *Client) Like(user string) *Client {
	c.test.Helper()
	if !slices.Contains(c.server.engine.Tokens(), user) {
		c.test.Fatalf("campaignfake: Like: %v", c.server.engine.NoUser(user))
		return nil
	}
	return &Client{
		server:   c.server,
		test:     c.test,
		ownToken: c.ownToken,
		token:    text.WithRun(user, c.ownToken),
	}
}

// BaseURL returns the base URL to give to the client under test, as Server.BaseURL does. It does
// not end in a slash.
func (c *Client) BaseURL() string {
	return c.server.BaseURL()
}

// Token returns the token of the client, NAME~RUN. NAME is the name of the test. RUN is random: it
// is new each time the test runs, and differs from the RUN of all other tests, on any server. The
// token of a client of Like has the user in front, for example flaky~NAME~RUN. Only the part before
// the first tilde shapes generated data, so each RUN gets the same data.
func (c *Client) Token() string {
	return c.token
}

// HTTPClient returns an HTTP client that reaches the server, as Server.Client does.
func (c *Client) HTTPClient() *http.Client {
	return c.server.Client()
}

// SetUser gives the token a user, as Server.SetUser does.
func (c *Client) SetUser(u fixtures.User) error {
	c.test.Helper()
	return c.change("SetUser", func() error {
		return c.server.engine.SetUser(c.token, u)
	})
}

// SetUserLike gives the token a copy of a user of the server, as Server.SetUserLike does.
func (c *Client) SetUserLike(user string) error {
	c.test.Helper()
	return c.change("SetUserLike", func() error {
		return c.server.setUserLike(c.token, user)
	})
}

// RemoveUser removes the user of the token, as Server.RemoveUser does.
func (c *Client) RemoveUser() error {
	c.test.Helper()
	return c.change("RemoveUser", func() error {
		return c.server.engine.RemoveUsers(engine.OfTokens(c.token), engine.KeepPast)
	})
}

// Enqueue adds replies for the next requests, as Server.Enqueue does.
func (c *Client) Enqueue(replies ...fixtures.Reply) error {
	c.test.Helper()
	return c.change("Enqueue", func() error {
		return c.server.engine.Enqueue(c.token, replies)
	})
}

// change calls a function that changes something for the token, unless the test has ended. An error
// of the function also fails the test.
func (c *Client) change(call string, change func() error) error {
	c.test.Helper()
	if c.test.HasEnded() {
		return errTestEnded
	}
	return c.test.Refuse(call, change())
}

// Release answers the requests that are held, as Server.Release does, and returns how many there
// were.
func (c *Client) Release() (requests int) {
	c.test.Helper()
	return c.server.release(c.test, c.token)
}

// Reset puts the token back to how the server started, as Server.Reset does.
func (c *Client) Reset() {
	c.server.Reset(c.token)
}

// Requests returns the requests in the journal that carry the token, oldest first, as
// Server.Requests does.
func (c *Client) Requests() []journal.Request {
	return c.server.Requests(c.token)
}

// ClearRequests removes the requests that carry the token from the journal, and sets their counts
// to 0.
func (c *Client) ClearRequests() {
	c.server.ClearRequests(c.token)
}

// AwaitRequests waits until at least n requests have arrived, as Server.AwaitRequests does.
func (c *Client) AwaitRequests(ctx context.Context, n int) error {
	c.test.Helper()
	return c.await(ctx, "AwaitRequests", engine.Counts{Arrived: n})
}

// AwaitAnswers waits until at least n requests have been answered, as Server.AwaitAnswers does.
func (c *Client) AwaitAnswers(ctx context.Context, n int) error {
	c.test.Helper()
	return c.await(ctx, "AwaitAnswers", engine.Counts{Answered: n})
}

// await waits until the counts of the token are at least the counts in the argument `least`. After
// the test has ended, await returns an error at once.
func (c *Client) await(ctx context.Context, call string, least engine.Counts) error {
	c.test.Helper()
	if c.test.HasEnded() {
		return errTestEnded
	}
	return c.server.await(ctx, c.test, call, c.token, least)
}

// CheckRequests fails the test unless exactly n requests have matched the route, as
// Server.CheckRequests does.
func (c *Client) CheckRequests(n int) {
	c.test.Helper()
	c.server.CheckRequests(c.test, c.token, n)
}
