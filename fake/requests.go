package fake

import (
	"context"
	"fmt"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fake/journal"
)

// Requests returns a copy of the requests in the journal that carry one of the tokens, oldest
// first. Without tokens, it returns all requests. The empty token stands for requests without a
// token. An entry is complete before the client has received the whole answer. The journal holds
// the latest 1,000 requests, each with up to 4 KiB of its headers, of the headers of the answer,
// and of the body of the answer. Requests under /_fake/ are not in it.
func (s *Server) Requests(tokens ...string) []journal.Request {
	return s.requests(engine.OfTokens(tokens...))
}

// requests returns a copy of the requests of a scope, oldest first.
func (s *Server) requests(scope engine.Scope) []journal.Request {
	entries := s.engine.Requests(scope)
	isInTest := s.engine.Config.Test != nil
	adviser := advice.New(s.engine.InForce(), s.engine.Tokens(), s.engine.BaseURL(), isInTest)
	requests := make([]journal.Request, len(entries))
	for i, entry := range entries {
		request := entry.Request
		request.Advice = adviser.On(&entry)
		request.Header = request.Header.Clone()
		request.Answer.Header = request.Answer.Header.Clone()
		requests[i] = request
	}
	return requests
}

// ClearRequests removes the requests that carry one of the tokens from the journal, and sets the
// counts of these tokens to 0. The empty token stands for requests without a token. Without tokens,
// ClearRequests removes all requests: so before ClearRequests(list...), check that the list is not
// empty.
func (s *Server) ClearRequests(tokens ...string) {
	s.engine.Clear(engine.OfTokens(tokens...))
}

// AwaitRequests waits until at least n requests that carry the token have arrived since the start,
// or since the token was last cleared or reset. The empty token stands for requests without a
// token.
//
// AwaitRequests ends with an error when ctx is done, after 10 seconds if ctx has no deadline, or
// when the server is closed. The error lists the requests. AwaitRequests also fails a strict test
// then.
func (s *Server) AwaitRequests(ctx context.Context, token string, n int) error {
	s.test.Helper()
	return s.await(ctx, s.test, "AwaitRequests", token, engine.Counts{Arrived: n})
}

// AwaitAnswers waits as AwaitRequests does, until at least n requests that carry the token have
// been answered: their entries in the journal are Complete. A request that gets no answer counts,
// too, as soon as the server knows that no answer will come. For example, a request with the fault
// hang counts when its connection has ended.
func (s *Server) AwaitAnswers(ctx context.Context, token string, n int) error {
	s.test.Helper()
	return s.await(ctx, s.test, "AwaitAnswers", token, engine.Counts{Answered: n})
}

// await waits until the counts of a token have reached the counts in the argument least. If await
// fails, and the argument test is a strict test, await also fails this test. The argument call is
// the name of the method for the message.
func (s *Server) await(
	ctx context.Context, test *report.Test, call, token string, least engine.Counts,
) error {
	test.Helper()
	ctx, cancel := engine.Bounded(ctx)
	defer cancel()
	err := s.engine.Await(ctx, engine.OfTokens(token), least)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%w%s", err, s.listing(token))
	test.Fail("campaignfake: %s: %v", call, err)
	return err
}

// CheckRequests fails the given test unless exactly n requests have carried the token and matched
// the route. It counts since the start, or since the token was last cleared or reset. The empty
// token stands for requests without a token, including preflights. Requests count when they arrive,
// whatever the answer is. The server keeps the counts of every token that somebody gave a user or
// replies. Of all other tokens, it keeps only the counts of the 10,000 most recent.
func (s *Server) CheckRequests(tb TB, token string, n int) {
	tb.Helper()
	matched := s.engine.Count(engine.OfTokens(token)).Matched
	if matched != n {
		tb.Errorf("campaignfake: %s %s, want %d%s",
			words.Counted(matched, "request"), words.OfToken(token), n, s.listing(token))
	}
}

// listing returns a list of requests for a message about a token.
func (s *Server) listing(token string) string {
	var requests, ofNobody []journal.Request
	for _, entry := range s.engine.Requests(engine.Scope{}) {
		requests = append(requests, entry.Request)
		if entry.IsOfNobody {
			ofNobody = append(ofNobody, entry.Request)
		}
	}
	return s.engine.Sharing.Listing(token, requests, ofNobody, s.engine.Ended())
}
