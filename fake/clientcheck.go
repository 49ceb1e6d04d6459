package fake

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"example.com/campaignfake/fake/internal/control"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/words"
)

// Requests returns the requests in the journal that carry one of the tokens, or all of
// them if none is given, oldest first, as Server.Requests does. An error also fails the
// test.
func (c *Client) Requests(tokens ...string) ([]Request, error) {
	c.test.Helper()
	requests, err := c.requests(tokens...)
	return requests, c.test.Refuse("Requests", err)
}

func (c *Client) requests(tokens ...string) (requests []Request, err error) {
	query := url.Values{"oldest": {"true"}, "limit": {strconv.Itoa(control.MaxListed)}, "bodies": {"true"}}
	if len(tokens) == 1 {
		query.Set("token", tokens[0])
	}
	var list control.RequestList
	if err := c.call("GET", "requests", query, nil, &list); err != nil {
		return nil, err
	}
	for _, r := range list.Requests {
		if len(tokens) == 0 || slices.Contains(tokens, r.Token) {
			requests = append(requests, r)
		}
	}
	return requests, nil
}

// AwaitRequests waits until at least n requests have arrived that carry the token, as
// Server.AwaitRequests does. An error also fails the test.
func (c *Client) AwaitRequests(ctx context.Context, token string, n int) error {
	c.test.Helper()
	return c.await(ctx, "AwaitRequests", token, n, engine.AwaitArrival)
}

// AwaitAnswers waits until at least n requests that carry the token have been answered,
// as Server.AwaitAnswers does. An error also fails the test.
func (c *Client) AwaitAnswers(ctx context.Context, token string, n int) error {
	c.test.Helper()
	return c.await(ctx, "AwaitAnswers", token, n, engine.AwaitAnswer)
}

func (c *Client) await(ctx context.Context, call, token string, n int, what engine.Awaited) error {
	c.test.Helper()
	if n <= 0 {
		return nil
	}
	ctx, cancel := engine.Bounded(ctx)
	defer cancel()
	query := ofToken(token)
	query.Set(what.Parameter, strconv.Itoa(n))
	query.Set("within", "24h")
	query.Set("limit", "1")
	err := c.callUntil(ctx, "GET", "requests", query, nil, new(control.RequestList))
	if err != nil && ctx.Err() != nil {
		missing := fmt.Sprintf("fewer than %d requests %s have", n, words.OfToken(token))
		if n == 1 {
			missing = fmt.Sprintf("no request %s has", words.OfToken(token))
		}
		err = fmt.Errorf("%s %s: %w", missing, what.Verb, context.Cause(ctx))
		if listing, unread := c.listing(token); unread == nil {
			err = fmt.Errorf("%w%s", err, listing.Text(report.NotCounted))
		}
	}
	return c.test.Refuse(call, err)
}

// CheckRequests fails the given test unless exactly n requests that carry the token
// matched the route, as Server.CheckRequests does. It also fails that test if the server
// cannot be asked.
func (c *Client) CheckRequests(tb TB, token string, n int) {
	tb.Helper()
	count, err := c.matched(token)
	if err == nil && count == n {
		return
	}
	var listing report.Listing
	if err == nil {
		listing, err = c.listing(token)
	}
	if err != nil {
		tb.Errorf("campaignfake: CheckRequests: %v", err)
		return
	}
	tb.Errorf("%s", listing.Miscounted(n, count))
}

func (c *Client) matched(token string) (int, error) {
	query := ofToken(token)
	query.Set("limit", "1")
	var list control.RequestList
	err := c.call("GET", "requests", query, nil, &list)
	if err == nil && list.Matched == nil {
		err = notCampaignfake(c.server(), "does not say how many requests matched")
	}
	if err != nil {
		return 0, err
	}
	return *list.Matched, nil
}

// listing returns the whole journal. If it has none, requests may have arrived that were
// cleared or are not kept.
func (c *Client) listing(token string) (report.Listing, error) {
	requests, err := c.requests()
	none := "The journal has no request at all."
	if len(requests) > 0 {
		none = report.NoneOfTest
	}
	return report.Listing{
		Token: token, Journal: requests, Sharing: c.sharing,
		None: none + " Give the client the server's BaseURL, and the HTTP client that HTTPClient returns.",
	}, err
}
