package fake

import (
	"fmt"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// SetUser gives the token a copy of the user until Reset, in place of the user that the token has.
// It drops the replies that wait: replies of the previous user, and replies that were enqueued. No
// test fails because these replies were not played. Counts and the journal stay. A request that has
// already arrived gets its answer from the previous user, and a request that is held stays held
// until Release.
//
// Over HTTP, a PUT of a user starts the token anew, unless it has anew=false: it also drops the
// counts and the requests, and releases what is held.
//
// A run of the token, as alice~1, has the new user from its first request on. If it has sent one
// already, it keeps the previous user until Reset, until Reload, or until SetUser or RemoveUser for
// itself.
//
// If the user is not valid, nothing changes. The error holds every mistake, as *fixtures.Mistakes.
// It also fails the test.
func (s *Server) SetUser(token string, u fixtures.User) error {
	s.test.Helper()
	return s.test.Refuse("SetUser", s.engine.SetUser(token, u))
}

// SetUserLike gives the token a copy of the user that another token has now, as SetUser does. The
// copy has the same campaigns, the generated ones included, and does not change when the other
// token gets another user. No test fails because replies of the copy were not played.
//
// The token may be the token of a login at the upstream. The log masks it if it is long.
//
// It is an error if no user has exactly the other token, which also fails the test.
func (s *Server) SetUserLike(token, user string) error {
	s.test.Helper()
	return s.test.Refuse("SetUserLike", s.setUserLike(token, user))
}

func (s *Server) setUserLike(token, user string) error {
	if err := fixtures.CheckToken(token); err != nil {
		return fmt.Errorf("the token %w", err)
	}
	_, err := s.engine.PutUserLike(token, user, engine.KeepPast)
	return err
}

// RemoveUser removes the user of a token until SetUser or Reset. Until then a token such as alice~1
// is a run of alice, and any other token is unknown. It is an error if the token is unknown, which
// also fails the test.
//
// A run that has sent a request already keeps the removed user. Other runs of it become unknown.
func (s *Server) RemoveUser(token string) error {
	s.test.Helper()
	scope := engine.OfTokens(token)
	return s.test.Refuse("RemoveUser", s.engine.RemoveUsers(scope, engine.KeepPast))
}

// Enqueue adds replies for the next requests that carry the token. They are played after the
// replies that were enqueued before, and before the user's own replies. A reply with the Times
// Always stays last: replies that are enqueued later are played before it, and a second reply with
// Always replaces it.
//
// It is an error if the token has no user and unknown tokens are rejected, if a reply is not valid,
// if the server is closed, or if more than 1,000 would wait. Then nothing is enqueued, and the test
// fails. If unknown tokens are not rejected, an unknown token becomes a known one. SetUser,
// RemoveUser and Reset drop replies that have not been played.
func (s *Server) Enqueue(token string, replies ...fixtures.Reply) error {
	s.test.Helper()
	return s.test.Refuse("Enqueue", s.engine.Enqueue(token, replies))
}

// Release answers the requests of a token that are held by a Delay with UntilReleased, and returns
// how many there were. AwaitRequests waits until a request is held. RemoveUser and Reset also
// release requests. After 24 hours the server releases a request by itself, and fails a strict
// test.
//
// Release fails a strict test if it comes too early: if no request is held, and the next request
// would wait for a Release that never comes.
func (s *Server) Release(token string) (requests int) {
	s.test.Helper()
	return s.release(s.test, token)
}

// release does what Release does, and fails the given test if the test is strict and the call comes
// too early.
func (s *Server) release(test *report.Test, token string) (requests int) {
	test.Helper()
	scope := engine.OfTokens(token)
	release := s.engine.Release(scope)
	if release.IsEarly {
		const text = "campaignfake: Release: no request %s is held, but the next one will be, " +
			"and stay so.\nBefore you release it, call AwaitRequests for %s, " +
			"so that it has arrived.%s"
		next := s.engine.Count(scope).Arrived + 1
		test.Fail(text, scope, words.Counted(next, "request"), s.listing(token))
	}
	return release.Requests
}

// Reset puts tokens back to how the server started: their users, replies, rate limits and random
// draws. It drops the replies that were enqueued for them, removes their requests from the journal,
// and sets their counts to 0. After a Reload, a Reset restores the users that the Reload read.
func (s *Server) Reset(token string, more ...string) {
	tokens := append([]string{token}, more...)
	s.engine.Reset(engine.OfTokens(tokens...))
}

// ResetAll does for all tokens what Reset does for some. It also numbers requests from 1
// again.
func (s *Server) ResetAll() {
	s.engine.Reset(engine.Scope{})
}

// Reload reads the fixtures of WithLoader and WithFixtures again, and puts them in force. If there
// is a mistake, no user and no setting changes. The error holds all mistakes, as
// *fixtures.Mistakes; /_fake/health and the page show them until a reload succeeds, and a test
// server also fails its test.
//
// The users that were read start from the beginning, and so do their runs. A user that was set or
// removed while the server ran stays so until Reset, with the settings of the service that were in
// force when it was set. Requests that have already arrived get their answers from the previous
// fixtures. Relative dates are calculated again.
func (s *Server) Reload() error {
	s.test.Helper()
	return s.test.Refuse("Reload", s.engine.Reload())
}
