package fake

import "example.com/campaignfake/fake/journal"

// Requests returns a copy of the requests in the journal that carry one of the tokens, or all
// of them if none is given, oldest first. The empty token stands for requests without a token.
// An entry is complete before the client has the whole answer. The journal holds the latest
// 1,000 requests, but no more than 8 MiB, and none under /_fake/.
func (s *Server) Requests(tokens ...string) []journal.Request {
	requests, _ := s.to.Requests(tokens...) // which fails only elsewhere
	return requests
}

// Release answers the requests of a token that are held by a Delay with UntilReleased, and
// returns how many there were. AwaitRequests waits until one is held. RemoveUser and Reset also
// release requests, and so do 24 hours, which fails a strict test.
func (s *Server) Release(token string) (requests int) { return s.engine.Release(token) }

// Reset puts tokens back to how the server started: their users, replies, rate limits and
// random draws. It drops the replies that were enqueued for them, removes their requests
// from the journal, and sets their counts to 0. After a Reload, the users that it read are
// those of the start.
func (s *Server) Reset(token string, more ...string) {
	s.engine.Reset(append([]string{token}, more...)...)
}

// ResetAll does for all tokens what Reset does for some. It also numbers requests from 1
// again.
func (s *Server) ResetAll() { s.engine.Reset() }

// ClearRequests removes the requests that carry one of the tokens from the journal, or
// all of them if none is given, and sets their counts to 0. The empty token stands for
// requests without a token.
func (s *Server) ClearRequests(tokens ...string) { s.engine.Clear(tokens...) }

// Reload reads the fixtures of WithLoader and WithFixtures again, and puts them in
// force. If there is a mistake, none of them changes. The error holds all mistakes, as
// *fixtures.Mistakes; /_fake/health and the page show them until a reload succeeds, and a
// test server also fails its test.
//
// The users that were read start from the beginning, and so do tokens that are like them. A user
// that was set or removed while the server ran stays so until Reset, with the settings of the
// service that were in force when it was set. Requests that have already arrived get their answers
// from the previous fixtures. Relative dates are calculated again.
func (s *Server) Reload() error {
	s.test.Helper()
	return s.test.Refuse("Reload", s.engine.Reload())
}
