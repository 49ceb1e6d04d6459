package control

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/ring"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fake/journal"
)

const (
	// listedRequests is how many requests an answer lists by default, and MaxListed
	// how many at most: as many as the journal has.
	listedRequests, MaxListed = 100, 1000

	requestParameters = "token, status, since, limit, await, await_answers, within, unmatched, advice, brief, oldest"
)

// A RequestList is the control plane's list of requests in the journal.
type RequestList struct {
	Requests []journal.Request `json:"requests"` // the latest first, or the oldest
	More     bool              `json:"more"`     // there are others before, or after

	// Count is how many requests have carried the token of the filter since the start,
	// or since they were last cleared, whether or not they are still in the journal.
	// Matched is how many of them matched the route. Both are nil without a token.
	Count   *int `json:"count,omitempty"`
	Matched *int `json:"matched,omitempty"`
}

// getRequests lists the requests in the journal that the parameters select.
func getRequests(c *call) error {
	if err := c.await(); err != nil {
		return err
	}
	list := RequestList{Requests: []journal.Request{}}
	if token, given := c.query["token"]; given {
		count := c.plane.Count(token)
		list.Count, list.Matched = &count.Arrived, &count.Matched
	}
	entries := c.plane.Requests(c.query.tokens()...)
	if !c.query.says("oldest", true) {
		slices.Reverse(entries)
	}
	adviser, limit := advice.New(c.plane.InForce(), c.baseURL()), c.query.number("limit", listedRequests)
	for _, e := range entries {
		if !c.query.selects(&e) {
			continue
		}
		if e.Advice = adviser.On(&e); c.query.says("advice", e.Advice.Title == "") {
			continue
		}
		if list.More = len(list.Requests) == limit; list.More {
			break
		}
		if c.query.says("brief", true) {
			e.Request = brief(e.Request)
		}
		list.Requests = append(list.Requests, e.Request)
	}
	return c.json(http.StatusOK, list)
}

// brief returns a request without headers and bodies, and with only the title of its advice.
func brief(r journal.Request) journal.Request {
	r.Method = words.Shorten(r.Method)
	r.URL = words.Shorten(r.URL)
	r.Header = nil
	r.Answer = journal.Answer{}
	r.Advice = journal.Advice{Title: r.Advice.Title}
	r.Brief = true
	return r
}

// await waits until as many requests have arrived, or have been answered, as the parameters
// say. If they have not in time, the call is refused.
func (c *call) await() error {
	arrived, answered := c.query.number("await", 0), c.query.number("await_answers", 0)
	if arrived == 0 && answered == 0 {
		return nil
	}
	token, given := c.query["token"]
	if !given {
		return refuse(http.StatusBadRequest, "The parameters await and await_answers need the parameter token, whose requests they count.")
	}
	within, err := time.ParseDuration(c.query["within"])
	if err != nil { // it is not given
		within = engine.AwaitTimeout
	}
	ctx, cancel := context.WithTimeoutCause(c.r.Context(), within, fmt.Errorf("%s are over", within))
	defer cancel()
	err = c.plane.Await(ctx, token, engine.Counts{Arrived: arrived, Answered: answered})
	switch {
	case err == nil:
		return nil
	case c.r.Context().Err() != nil, !errors.Is(ctx.Err(), context.DeadlineExceeded):
		panic(http.ErrAbortHandler) // the client has gone away, or the server is being closed
	}
	return refuse(http.StatusGatewayTimeout, "%s GET /_fake/requests lists those that have arrived. "+
		"To wait longer, send within=60s. The base URL is %s.", words.Sentence(err.Error()), c.baseURL())
}

// selects reports whether the parameters select a request, whether or not it has advice.
func (p parameters) selects(r *ring.Entry) bool {
	return !p.says("unmatched", !r.Unmatched) && r.Number > p.number("since", 0) && r.Status == p.number("status", r.Status)
}

func deleteRequests(c *call) error {
	c.plane.Clear(c.query.tokens()...)
	return c.done(http.StatusNoContent, nil)
}

func postReset(c *call) error {
	c.plane.Reset(c.query.tokens()...)
	return c.done(http.StatusNoContent, nil)
}
