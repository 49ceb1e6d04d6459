package control

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/journal"
	"example.com/campaignfake/fake/internal/words"
)

// maxNumber is the largest number of a request that an int holds and that every reader of
// JSON can represent.
const maxNumber = math.MaxInt & (1<<53 - 1)

const (
	// ListedRequests is how many requests an answer lists by default, and MaxListed
	// how many at most: as many as the journal has.
	ListedRequests, MaxListed = 100, 1000
)

// A RequestList is the control plane's list of requests in the journal.
type RequestList struct {
	Requests []journal.Request `json:"requests"` // the latest first, or the oldest
	More     bool              `json:"more"`     // there are others before, or after
	Journal  int               `json:"journal"`  // a number that changes when everything is reset
	Advised  int               `json:"advised"`  // selected requests that have advice, whatever the filter wants of that, listed or not

	// UnmatchedDropped reports that the journal has dropped a request that matched nothing, of
	// any token, to make room for others, since everything was last cleared or reset.
	UnmatchedDropped bool `json:"unmatched_dropped"`

	// Count is how many requests have carried the token of the filter since the start,
	// or since they were last cleared, whether or not they are still in the journal.
	// Matched is how many of them matched the route. Both are nil without a token.
	Count   *int `json:"count,omitempty"`
	Matched *int `json:"matched,omitempty"`
}

// A requestFilter selects requests of the journal.
type requestFilter struct {
	token                *string // nil for all
	path                 string  // "" for all
	status               int     // -1 for all
	unmatched, advice    string  // "true" or "false", "" for all
	brief                bool    // leave out headers, bodies and the text of advice
	bodies               bool    // the bodies of the journal in place of their first listedBytes
	oldest               bool    // the oldest first
	since, before, limit int
	await, awaitAnswers  int // answer when this many have arrived, or have been answered
	within               time.Duration
}

// has reports whether the filter selects a request, whether or not it has advice.
func (f *requestFilter) has(r *journal.Entry) bool {
	return r.Number > f.since && r.Number < f.before && (f.status < 0 || r.Status == f.status) &&
		(f.token == nil || r.Token == *f.token && (!r.Former || f.unmatched == "true")) && (f.path == "" || words.WithoutQuery(r.URL) == f.path) &&
		is(f.unmatched, r.Unmatched)
}

// is reports whether a parameter that is true or false allows a value, as "" does.
func is(wanted string, value bool) bool { return wanted == "" || wanted == strconv.FormatBool(value) }

const requestParameters = "token, status, path, since, before, limit, await, await_answers, unmatched, advice, brief, bodies, oldest, within"

// requestFilter returns the filter in the parameters of a list of requests.
func (p *parameters) requestFilter() (requestFilter, error) {
	f := requestFilter{
		token:        p.token(),
		path:         p.values["path"],
		status:       p.number("status", 0, 599, -1),
		since:        p.number("since", 0, maxNumber, 0),
		before:       p.number("before", 1, maxNumber, maxNumber),
		limit:        p.number("limit", 1, MaxListed, ListedRequests),
		await:        p.number("await", 1, maxNumber, 0),
		awaitAnswers: p.number("await_answers", 1, maxNumber, 0),
		within:       p.duration("within", engine.AwaitTimeout),
		unmatched:    p.boolean("unmatched", "for the requests that matched nothing, or false for the others"),
		advice:       p.boolean("advice", "for the requests that have advice, or false for the others"),
		brief:        p.boolean("brief", "to leave out headers, bodies and the text of advice, or false") == "true",
		bodies:       p.boolean("bodies", "for the first 4 KiB of bodies, or false for 256 bytes") == "true",
		oldest:       p.boolean("oldest", "for the oldest first, or false for the latest") == "true",
	}
	if (f.await > 0 || f.awaitAnswers > 0) && f.token == nil {
		p.refuse("The parameters await and await_answers need the parameter token, whose requests they count.")
	}
	return f, p.err
}

// getRequests lists the journal.
func getRequests(c *call) error {
	f, err := c.query.requestFilter()
	if err != nil {
		return err
	}
	if err := c.await(&f); err != nil {
		return err
	}
	list := RequestList{Requests: []journal.Request{}}
	if f.token != nil {
		count := c.plane.State.Count(*f.token)
		list.Count, list.Matched = &count.Arrived, &count.Matched
	}
	c.list(&list, &f)
	if f.brief {
		return c.json(brief(list))
	}
	return c.json(list)
}

// await waits until as many requests have arrived, or have been answered, as the filter
// wants. If they have not within its time, the call is refused.
func (c *call) await(f *requestFilter) error {
	ctx, cancel := context.WithTimeoutCause(c.r.Context(), f.within, fmt.Errorf("%s are over", f.within))
	defer cancel()
	var err error
	if f.await > 0 {
		err = c.plane.Await(ctx, *f.token, f.await, engine.AwaitArrival)
	}
	if f.awaitAnswers > 0 && err == nil {
		err = c.plane.Await(ctx, *f.token, f.awaitAnswers, engine.AwaitAnswer)
	}
	switch {
	case err == nil:
		return nil
	case c.r.Context().Err() != nil, !errors.Is(ctx.Err(), context.DeadlineExceeded):
		panic(http.ErrAbortHandler) // the client has gone away, or the server is being closed
	case c.plane.State.Received().Requests == 0:
		return refuse(http.StatusGatewayTimeout, "%s No request at all has arrived; the base URL is %s.", words.Sentence(err.Error()), c.baseURL())
	}
	return refuse(http.StatusGatewayTimeout, "%s GET /_fake/requests lists those that have arrived. To wait longer, send within=60s.", words.Sentence(err.Error()))
}

// listedBytes is how much of a body a list has.
const listedBytes = 256

// list adds the requests that the filter selects to a list.
func (c *call) list(l *RequestList, f *requestFilter) {
	entries, resets := c.plane.State.Requests()
	l.Journal, l.UnmatchedDropped = resets, c.plane.State.UnmatchedDropped()
	adviser := advice.New(c.plane.State.InForce(), c.baseURL())
	order := slices.Backward(entries)
	if f.oldest {
		order = slices.All(entries)
	}
	for _, e := range order {
		if !f.has(&e) || l.More && !advice.MayBeAdvised(&e) {
			continue
		}
		adviser.Advise(&e)
		if e.Advice.Title != "" {
			l.Advised++
		}
		if !is(f.advice, e.Advice.Title != "") {
			continue
		}
		if !f.bodies {
			e.Answer.Body = journal.Start(e.Answer.Body, listedBytes)
		}
		if l.More = l.More || len(l.Requests) == f.limit; !l.More {
			l.Requests = append(l.Requests, e.Request)
		}
	}
}

// deleteRequests removes the requests of a token, or all, from the journal.
func deleteRequests(c *call) error {
	return c.forTokenOrAll(c.plane.State.Clear)
}

// postReset resets a token, or everything.
func postReset(c *call) error {
	return c.forTokenOrAll(c.plane.Reset)
}

// forTokenOrAll calls a function with the parameter token, or for all tokens without one.
func (c *call) forTokenOrAll(change func(tokens ...string)) error {
	if token := c.query.token(); token != nil {
		change(*token)
	} else {
		change()
	}
	c.WriteHeader(http.StatusNoContent)
	return nil
}

// A briefList is a list of requests without headers and bodies.
type briefList struct {
	RequestList
	Requests []any `json:"requests"`
}

func brief(l RequestList) briefList {
	brief := briefList{l, []any{}}
	for _, r := range l.Requests {
		brief.Requests = append(brief.Requests, r.Brief())
	}
	return brief
}
