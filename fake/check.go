package fake

import (
	"context"
	"fmt"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/report"
)

// Requests returns the requests in the journal that carry one of the tokens, or all
// of them if none is given, oldest first. The empty token stands for requests
// without a token. The result is a copy. An entry is complete before the client has
// the whole answer.
//
// The journal holds the latest 1,000 requests, but no more than 8 MiB. Requests under
// /_fake/ are not in it.
func (s *Server) Requests(tokens ...string) []Request {
	requests := s.requests(tokens...)
	for i := range requests {
		r := &requests[i]
		r.Header, r.Answer.Header = r.Header.Clone(), r.Answer.Header.Clone()
	}
	return requests
}

// requests returns requests with their advice. Their headers are those of the journal.
func (s *Server) requests(tokens ...string) []Request {
	entries := s.engine.Requests(tokens...)
	adviser := advice.New(s.engine.InForce(), s.BaseURL())
	requests := make([]Request, len(entries))
	for i, e := range entries {
		e.Advice = adviser.On(&e)
		requests[i] = e.Request
	}
	return requests
}

// AwaitRequests waits until at least n requests that carry the token have arrived
// since the start, or since they were last cleared. The empty token stands for
// requests without a token. A request that has arrived may not have been answered
// yet; see AwaitAnswers.
//
// AwaitRequests ends with an error when ctx is done, after 10 seconds if ctx has no
// deadline, or when the server is closed. The error lists the requests, and fails a strict
// test. In a testing/synctest bubble, the 10 seconds are a day.
func (s *Server) AwaitRequests(ctx context.Context, token string, n int) error {
	s.test.Helper()
	return s.await(ctx, "AwaitRequests", token, n, engine.AwaitArrival)
}

// AwaitAnswers waits as AwaitRequests does, until at least n requests that carry the
// token have been answered: their entries in the journal are Complete. A request that
// is never answered counts as well, with the fault hang when its connection has ended.
func (s *Server) AwaitAnswers(ctx context.Context, token string, n int) error {
	s.test.Helper()
	return s.await(ctx, "AwaitAnswers", token, n, engine.AwaitAnswer)
}

func (s *Server) await(ctx context.Context, call, token string, n int, what engine.Awaited) error {
	s.test.Helper()
	if err := s.engine.CheckBubble(); err != nil {
		return s.test.Refuse(call, err)
	}
	ctx, cancel := engine.Bounded(ctx)
	defer cancel()
	err := s.engine.Await(ctx, token, n, what)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%w%s", err, s.listing(token).Text(report.NotCounted))
	if s.test.Strict {
		return s.test.Refuse(call, err)
	}
	return err
}

// CheckRequests fails the test unless exactly n requests have carried the token and
// matched the route since the start, or since they were last cleared. The empty
// token stands for requests without a token. Requests count when they arrive,
// whatever the answer is, and whether or not they are still in the journal. Of
// unknown tokens, only the 10,000 most recent have counts.
func (s *Server) CheckRequests(tb TB, token string, n int) {
	tb.Helper()
	if count := s.engine.Count(token).Matched; count != n {
		tb.Errorf("%s", s.listing(token).Miscounted(n, count))
	}
}

// listing returns the journal for messages about a token.
func (s *Server) listing(token string) report.Listing {
	none := "No request at all has arrived."
	if s.engine.Tally().Requests > 0 {
		none = report.NoneOfTest
	}
	return report.Listing{
		Token: token, Journal: s.requests(), Sharing: &s.engine.Sharing,
		None: none + " Give the client the server's BaseURL, and the HTTP client that Client returns.",
	}
}
