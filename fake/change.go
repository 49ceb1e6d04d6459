package fake

import (
	"fmt"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// SetUser gives the token a copy of the user until Reset, in place of the user that the token has.
// It drops the replies that wait: replies of the previous user, and replies that were enqueued. A
// test need not play these replies any more. Counts and the journal stay. A request that has
// already arrived gets its answer from the previous user, and a request that is held stays held
// until Release.
//
// Over HTTP, a PUT of a user also clears the counts of the token, removes its requests from the
// journal, and releases its held requests. With anew=false in its query, it does only what SetUser
// does.
//
// After SetUser for alice, a token such as alice~1 sees the new user, too. But if alice~1 has
// already requested the campaigns, it keeps the previous user until Reset, until Reload, or until
// SetUser or RemoveUser for alice~1 itself.
//
// If the user is not valid, SetUser changes nothing, and returns every mistake as
// *fixtures.Mistakes. An error also fails the test.
func (s *Server) SetUser(token string, u fixtures.User) error {
	s.test.Helper()
	return s.test.Refuse("SetUser", s.engine.SetUser(token, u))
}

// SetUserLike gives the token a copy of another user. The argument user is the token of the other
// user. Counts, the journal, and replies that wait are treated as in SetUser. The copy has the same
// campaigns, also the same generated campaigns. The copy does not change when the other user
// changes. A test need not play the replies of the copy.
//
// The token may be a token that the upstream gave at a login. WithLogger says when the log masks
// such a token.
//
// If the argument user is not exactly the token of a user, SetUserLike returns an error, which also
// fails the test.
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

// RemoveUser removes the user of a token, and releases the held requests of the token. The token is
// then unknown until SetUser or Reset. But a token such as alice~1 gets the answers of the user
// alice instead. If the token is already unknown, RemoveUser returns an error, which also fails the
// test.
//
// After RemoveUser for alice, a token such as alice~1 is unknown, too. But if alice~1 has already
// requested the campaigns, it keeps the removed user.
func (s *Server) RemoveUser(token string) error {
	s.test.Helper()
	scope := engine.OfTokens(token)
	return s.test.Refuse("RemoveUser", s.engine.RemoveUsers(scope, engine.KeepPast))
}

// Enqueue adds replies for the next requests that carry the token. The new replies are played after
// the replies that were enqueued before, and before the user's own replies. A reply with the Times
// Always stays last: replies that are enqueued later are played before it. A second reply with
// Always replaces the first.
//
// Enqueue returns an error if a reply is not valid, or if the server is closed. It returns an error
// if the token has no user and unknown tokens are rejected. It also returns an error if more than
// 1,000 enqueued replies of the token would wait, or if too many tokens have got users or replies.
// After an error nothing is enqueued, and the test fails. If unknown tokens are not rejected,
// Enqueue makes an unknown token known. SetUser, RemoveUser and Reset drop replies that have not
// been played.
func (s *Server) Enqueue(token string, replies ...fixtures.Reply) error {
	s.test.Helper()
	return s.test.Refuse("Enqueue", s.engine.Enqueue(token, replies))
}

// Release answers the requests of a token that are held by a Delay with UntilReleased, and returns
// how many there were. Before Release, call AwaitRequests, so that a request has arrived and is
// held. RemoveUser and Reset also release requests. After 24 hours the server releases a request by
// itself, and fails a strict test.
//
// Release fails a strict test if it comes too early: no request is held, but the next request will
// be held, and would wait for another Release.
func (s *Server) Release(token string) (requests int) {
	s.test.Helper()
	return s.release(s.test, token)
}

// release does what Release does. If the call comes too early, it fails the given test, unless the
// test is lenient.
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

// Reset puts tokens back to how the server started: their users, replies and rate limits start from
// the beginning, and so does the sequence of their random delays. It drops the replies that were
// enqueued for the tokens, removes their requests from the journal, and sets their counts to 0.
// After a Reload, a Reset restores the users that the Reload read. Reset needs a token, so that a
// call cannot reset everything by accident.
func (s *Server) Reset(token string, more ...string) {
	tokens := append([]string{token}, more...)
	s.engine.Reset(engine.OfTokens(tokens...))
}

// ResetAll resets all tokens, as Reset does. The next request has the number 1 again.
func (s *Server) ResetAll() {
	s.engine.Reset(engine.Scope{})
}

// Reload reads the fixtures of WithLoader and WithFixtures again, and puts them in force. If the
// fixtures have a mistake, no user and no setting changes. Reload then returns all mistakes as
// *fixtures.Mistakes, and fails the test. /_fake/health and the page show the mistakes until a
// reload succeeds.
//
// For each user that was read, the replies and the rate limit start from the beginning, also for
// tokens such as alice~1. A token whose user was set or removed while the server ran stays as it is
// until Reset. A user that was set while the server ran keeps the settings of the service from that
// time. Requests that have already arrived get their answers from the previous fixtures. Relative
// dates, such as {ago: 3h}, are calculated again.
func (s *Server) Reload() error {
	s.test.Helper()
	return s.test.Refuse("Reload", s.engine.Reload())
}
