package fake

import (
	"context"
	"fmt"
	"sync"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// calls are the methods that a Server and a Client have in common.
type calls struct {
	to      door
	test    *report.Test
	sharing *report.Sharing // the tests of the server; none for one elsewhere
	changed *sync.Map       // its keys are tokens to put back when the test of a Client ends; else nil
}

// SetUser gives the token a user, which is copied, or replaces the one that it has, until Reset.
// Replies that were enqueued for the token are still played before those of the user. A request
// that has already arrived gets its answer from the previous user, whose replies no test misses
// any more.
//
// If the user is not valid, nothing changes. The error holds every mistake, as
// *fixtures.Mistakes. It also fails the test.
func (c *calls) SetUser(token string, u fixtures.User) error {
	c.test.Helper()
	return c.change("SetUser", token, c.to.SetUser(token, u))
}

// RemoveUser removes the user of a token. The token is unknown until SetUser or Reset, or
// like alice again if it is one such as alice~1. It is an error if the token is unknown,
// which also fails the test.
func (c *calls) RemoveUser(token string) error {
	c.test.Helper()
	return c.change("RemoveUser", token, c.to.RemoveUser(token))
}

// Enqueue adds replies for the next requests that carry the token. They are played
// after those that were enqueued before, and before the user's own replies. A reply
// with the Times Always stays the last one: replies that are enqueued later are
// played before it, and a second one with Always replaces it.
//
// It is an error if the token has no user and unknown tokens are rejected, if a reply is not
// valid, if the server is closed, or if more than 10,000 would wait. Then nothing is
// enqueued, and the test fails. If they are generated, an unknown token becomes that of a
// user. RemoveUser and Reset drop replies that have not been played.
func (c *calls) Enqueue(token string, replies ...fixtures.Reply) error {
	c.test.Helper()
	return c.change("Enqueue", token, c.to.Enqueue(token, replies))
}

// change returns the error of a call that changes what a token has, of which the test is told.
func (c *calls) change(call, token string, err error) error {
	c.test.Helper()
	if c.changed != nil {
		c.changed.Store(token, nil)
	}
	return c.test.Refuse(call, err)
}

// AwaitRequests waits until at least n requests that carry the token have arrived since the
// start, or since they were last cleared. The empty token stands for requests without a token.
//
// AwaitRequests ends with an error when ctx is done, after 10 seconds if ctx has no
// deadline, or when the server is closed. The error lists the requests, and fails a strict
// test. In a testing/synctest bubble, the 10 seconds are a day.
func (c *calls) AwaitRequests(ctx context.Context, token string, n int) error {
	c.test.Helper()
	return c.await(ctx, "AwaitRequests", token, engine.Counts{Arrived: n})
}

// AwaitAnswers waits as AwaitRequests does, until at least n requests that carry the
// token have been answered: their entries in the journal are Complete. A request that
// is never answered counts as well, with the fault hang when its connection has ended.
func (c *calls) AwaitAnswers(ctx context.Context, token string, n int) error {
	c.test.Helper()
	return c.await(ctx, "AwaitAnswers", token, engine.Counts{Answered: n})
}

func (c *calls) await(ctx context.Context, call, token string, least engine.Counts) error {
	c.test.Helper()
	if err := c.to.CheckBubble(); err != nil {
		return c.test.Refuse(call, err)
	}
	ctx, cancel := engine.Bounded(ctx)
	defer cancel()
	err := c.to.Await(ctx, token, least)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%w%s", err, c.listing(token))
	c.test.Fail("campaignfake: %s: %v", call, err)
	return err
}

// CheckRequests fails the test that it is given unless exactly n requests have carried the
// token and matched the route since the start, or since they were last cleared. The empty
// token stands for requests without a token. Requests count when they arrive, whatever the
// answer is. Of unknown tokens, only the 10,000 most recent have counts.
func (c *calls) CheckRequests(tb TB, token string, n int) {
	tb.Helper()
	counts, err := c.to.Count(token)
	if err != nil {
		tb.Errorf("campaignfake: CheckRequests: %v", err)
	} else if counts.Matched != n {
		tb.Errorf("campaignfake: %s %s, want %d%s", words.Counted(counts.Matched, "request"), words.OfToken(token), n, c.listing(token))
	}
}

// listing lists requests for a message about a token, none if the journal cannot be read.
func (c *calls) listing(token string) string {
	requests, err := c.to.Requests()
	if err != nil {
		return ""
	}
	return c.sharing.Listing(token, requests)
}
