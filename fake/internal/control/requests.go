package control

import (
	"math"
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
	// listedRequests is how many requests an answer lists by default.
	listedRequests = 100

	// maxListed bounds how many requests an answer lists. The journal holds no more.
	maxListed = 1000
)

// A requestFilter holds the parameters of the route that lists requests of the journal.
type requestFilter struct {
	scope        engine.Scope
	since        int // lists only requests with a number above this
	limit        int
	await        int // waits until this many requests of the scope have arrived
	awaitAnswers int // waits until this many requests of the scope are answered
	within       time.Duration

	// If unmatched is true, only requests that match no route are listed. If unmatched is false,
	// only requests that match a route are listed. If unmatched is nil, all requests are listed.
	// The fields passedOn and advice work in the same way.
	unmatched *bool // requests that match no route
	passedOn  *bool // requests that were passed on
	advice    *bool // requests that have advice

	brief  bool
	oldest bool // lists the oldest first, not the latest
}

func readRequestFilter(q *query) requestFilter {
	return requestFilter{
		scope:        q.scope(),
		since:        q.numberOr(0, "since", 0, math.MaxInt32),
		limit:        q.numberOr(listedRequests, "limit", 1, maxListed),
		await:        q.numberOr(0, "await", 0, math.MaxInt32),
		awaitAnswers: q.numberOr(0, "await_answers", 0, math.MaxInt32),
		within:       q.durationOr(engine.AwaitTimeout, "within"),
		unmatched:    q.flag("unmatched"),
		passedOn:     q.flag("passed_on"),
		advice:       q.flag("advice"),
		brief:        q.isTrue("brief"),
		oldest:       q.isTrue("oldest"),
	}
}

// selects reports whether the filter lists a request. It checks the fields since, unmatched and
// passedOn. The method selectsAdvice checks the field advice.
func (f *requestFilter) selects(r *journal.Request) bool {
	if f.passedOn != nil && *f.passedOn != r.PassedOn {
		return false
	}
	if f.unmatched != nil && *f.unmatched != r.Unmatched {
		return false
	}
	return r.Number > f.since
}

// selectsAdvice reports whether the filter lists a request with this advice. The zero Advice means
// that the request has no advice.
func (f *requestFilter) selectsAdvice(advice journal.Advice) bool {
	hasAdvice := advice.Title != ""
	return f.advice == nil || *f.advice == hasAdvice
}

// A requestList is the control plane's list of requests in the journal.
type requestList struct {
	Requests []journal.Request `json:"requests"` // latest first; oldest first with oldest=true
	More     bool              `json:"more"`     // whether further requests are left out

	// Count is how many requests with a token of the filter have arrived, also if they have left
	// the journal. The count of a token starts at 0. It starts again at 0 when somebody clears the
	// requests of the token, or when the token starts anew, as after a reset. Matched counts only
	// the requests for the campaigns, and preflights. Count and Matched are nil if the filter is
	// for all tokens.
	Count   *int `json:"count,omitempty"`
	Matched *int `json:"matched,omitempty"`
}

// getRequests lists the requests in the journal that a filter selects. Before that, it waits until
// as many requests have arrived or are answered as the filter demands.
func getRequests(c *call, f requestFilter) error {
	if err := c.await(f); err != nil {
		return err
	}
	return c.sendJSON(http.StatusOK, c.selected(f))
}

// selected returns the list of requests that a filter selects, with their advice.
func (c *call) selected(f requestFilter) requestList {
	list := requestList{Requests: []journal.Request{}}
	if !f.scope.IsAll() {
		counts := c.engine.Count(f.scope)
		list.Count = &counts.Arrived
		list.Matched = &counts.Matched
	}
	isInTest := c.engine.Config.Test != nil
	adviser := advice.New(c.engine.InForce(), c.engine.Tokens(), c.baseURL(), isInTest)
	for _, entry := range c.requestsOf(f) {
		request := entry.Request
		if !f.selects(&request) {
			continue
		}
		request.Advice = adviser.On(&entry)
		if !f.selectsAdvice(request.Advice) {
			continue
		}
		if len(list.Requests) == f.limit {
			list.More = true
			break
		}
		if f.brief {
			request = brief(request)
		}
		list.Requests = append(list.Requests, request)
	}
	return list
}

// requestsOf returns the requests of the tokens of a filter: the latest first, or the oldest first
// if f.oldest is true.
func (c *call) requestsOf(f requestFilter) []ring.Entry {
	requests := c.engine.Requests(f.scope)
	if !f.oldest {
		slices.Reverse(requests)
	}
	return requests
}

// brief returns a request without headers and bodies, and with only the title of its advice. It
// shortens long texts.
func brief(r journal.Request) journal.Request {
	r.Method = words.CutInput(r.Method)
	r.URL = words.CutInput(r.URL)
	r.IgnoredQuery = words.CutInput(r.IgnoredQuery)
	r.Header = nil
	r.Answer = journal.Answer{}
	r.Advice = journal.Advice{Title: r.Advice.Title}
	return r
}

// deleteRequests forgets the requests of some tokens, or of all tokens.
func deleteRequests(c *call, p tokens) error {
	c.engine.Clear(p.scope)
	return c.sendNothing(http.StatusNoContent)
}

// postReset puts some tokens, or all tokens, back to their state at the start of the server.
func postReset(c *call, p tokens) error {
	c.engine.Reset(p.scope)
	return c.sendNothing(http.StatusNoContent)
}
