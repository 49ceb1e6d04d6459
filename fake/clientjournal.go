package fake

import (
	"context"
	"iter"
	"net/url"
	"strconv"

	"example.com/campaignfake/fake/internal/api"
)

// A journalPage is a part of the journal, the oldest request first.
type journalPage struct {
	api.RequestList
	requests []api.Request // those with the tokens
}

// pages yields the journal of the server page by page, the oldest first, with at least one
// page. Only one is in memory. After a reset, which changes the number of the journal, it
// goes on with the requests that have arrived since then. An error is the last that it
// yields.
func (c *Client) pages(ctx context.Context, tokens []string, bodies bool) iter.Seq2[journalPage, error] {
	return func(yield func(journalPage, error) bool) {
		since, journal := 0, -1
		for {
			page, err := c.page(ctx, tokens, bodies, since)
			if since > 0 && err == nil && page.Journal != journal {
				since = 0
				continue
			}
			if !yield(page, err) || err != nil || !page.More || len(page.Requests) == 0 {
				return
			}
			since, journal = page.Requests[len(page.Requests)-1].Number, page.Journal
		}
	}
}

// page asks for the requests after a number.
func (c *Client) page(ctx context.Context, tokens []string, bodies bool, since int) (page journalPage, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	query := url.Values{
		"oldest": {"true"}, "since": {strconv.Itoa(since)}, "limit": {strconv.Itoa(api.MaxListed)}, "bodies": {strconv.FormatBool(bodies)},
	}
	if len(tokens) == 1 {
		query.Set("token", tokens[0])
	}
	err = c.callUntil(ctx, "GET", "requests", query, nil, &page.RequestList)
	for _, r := range page.Requests {
		if listed(tokens, r.Token) {
			page.requests = append(page.requests, r)
		}
	}
	return page, err
}
