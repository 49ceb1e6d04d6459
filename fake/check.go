package fake

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Requests returns the requests in the journal that carry one of the tokens, or all
// of them if none is given, oldest first. The empty token stands for requests
// without a token. The result is a copy. An entry is complete before the client has
// the whole answer.
//
// The journal holds the latest 1,000 requests, or as many as WithJournal says, but
// no more than 8 MiB. Requests under /_fake/ are not in it.
func (s *Server) Requests(tokens ...string) []Request {
	records, _ := s.state.requests()
	requests := make([]Request, len(records))
	texts := make(bodyTexts)
	for i := range records {
		requests[i] = records[i].request()
		if len(tokens) == 0 || slices.Contains(tokens, requests[i].Token) {
			texts.add(&requests[i], &records[i])
		}
	}
	s.newAdviser(s.BaseURL()).adviseAll(requests) // before filtering: advice depends on the requests of other tokens
	return slices.DeleteFunc(requests, func(r Request) bool { return len(tokens) > 0 && !slices.Contains(tokens, r.Token) })
}

// AwaitRequests waits until at least n requests that carry the token have arrived
// since the start, or since they were last cleared. The empty token stands for
// requests without a token. A request that has arrived may not have been answered
// yet; see AwaitAnswers. AwaitRequests fails when ctx is done or the server is closed.
func (s *Server) AwaitRequests(ctx context.Context, token string, n int) error {
	return s.await(ctx, token, n, awaitArrival)
}

// AwaitAnswers waits as AwaitRequests does, until at least n requests that carry the
// token have been answered: their entries in the journal are Complete. A request that
// is never answered counts as well, with the fault hang when its connection has ended.
func (s *Server) AwaitAnswers(ctx context.Context, token string, n int) error {
	return s.await(ctx, token, n, awaitAnswer)
}

// An awaited is what AwaitRequests and AwaitAnswers wait for.
type awaited struct {
	parameter string // of the control plane
	verb      string
	of        func(counts) int
}

var (
	awaitArrival = awaited{"await", "arrived", func(c counts) int { return c.arrived }}
	awaitAnswer  = awaited{"await_answers", "been answered", func(c counts) int { return c.answered }}
)

func (s *Server) await(ctx context.Context, token string, n int, what awaited) error {
	for {
		changed, closed := s.state.next()
		count := what.of(s.state.count(token))
		switch {
		case count >= n:
			return nil
		case closed:
			return fmt.Errorf("the server was closed after %d of %d requests %s", count, n, ofToken(token))
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("%d of %d requests %s have %s: %w", count, n, ofToken(token), what.verb, context.Cause(ctx))
		}
	}
}

// CheckRequests fails the test unless exactly n requests have carried the token and
// matched the route since the start, or since they were last cleared. The empty
// token stands for requests without a token. Requests count when they arrive,
// whatever the answer is, and whether or not they are still in the journal. Of
// unknown tokens, only the 10,000 most recent have counts.
func (s *Server) CheckRequests(tb TB, token string, n int) {
	tb.Helper()
	checkCount(tb, token, n, s.state.count(token).matched, s.Requests)
}

// checkCount fails the test unless count is n, the number of a token's requests that
// matched the route. The message lists the requests in the journal.
func checkCount(tb TB, token string, n, count int, requests func(...string) []Request) {
	tb.Helper()
	if count == n {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "campaignfake: %s %s, want %d", counted(count, "request"), ofToken(token), n)
	var own, unmatched, others []Request
	all := requests()
	if len(all) == 0 && count == 0 {
		b.WriteString("\nNo request at all has arrived. Give the client the server's BaseURL, and the HTTP client that Client returns.")
	}
	for _, r := range all {
		switch {
		case r.Token != token:
			others = append(others, r)
		case r.Unmatched:
			unmatched = append(unmatched, r)
		default:
			own = append(own, r)
		}
	}
	writeRequests(&b, "These were", own, count)
	writeRequests(&b, "These matched nothing, and do not count", unmatched, notCounted)
	if len(own)+len(unmatched) == 0 {
		writeRequests(&b, "Others were", others, notCounted)
	}
	tb.Errorf("%s", b.String())
}

// notCounted stands for a number of requests that nobody knows, since the journal may
// have dropped some.
const notCounted = -1

// writeRequests lists the latest of some requests under a title, and says how many of
// all there were before.
func writeRequests(b *strings.Builder, title string, requests []Request, all int) {
	if len(requests) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:", title)
	latest := requests[max(len(requests)-10, 0):]
	switch {
	case all > len(latest):
		fmt.Fprintf(b, "\n\t(%s)", counted(all-len(latest), "earlier one"))
	case all == notCounted && len(latest) < len(requests):
		b.WriteString("\n\t(earlier ones are not listed)")
	}
	for _, r := range latest {
		b.WriteString("\n\t" + r.line())
	}
}
