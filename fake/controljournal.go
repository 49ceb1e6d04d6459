package fake

import (
	"net/http"
	"slices"
	"time"
)

const (
	// listedRequests is how many requests an answer lists by default, and maxListed
	// how many at most.
	listedRequests, maxListed = 100, 1000

	// maxNumber is a number that every reader of JSON can represent.
	maxNumber = 1 << 53
)

// A requestFilter selects requests of the journal.
type requestFilter struct {
	token                *string // nil for all
	path                 string  // "" for all
	status               int     // -1 for all
	unmatched            *bool   // nil for all
	advice               *bool   // whether it has any; nil for all
	brief                *bool   // leave out headers, bodies and the text of advice
	bodies               *bool   // whole bodies in place of their starts
	since, before, limit int
	await, awaitAnswers  int // answer when this many have arrived, or have been answered
}

// has reports whether the filter selects a request.
func (f *requestFilter) has(r *Request) bool {
	is := func(wanted *bool, value bool) bool { return wanted == nil || value == *wanted }
	return r.Number > f.since && r.Number < f.before && (f.status < 0 || r.Status == f.status) &&
		(f.token == nil || r.Token == *f.token) && (f.path == "" || withoutQuery(r.URL) == f.path) &&
		is(f.unmatched, r.Unmatched) && is(f.advice, r.Advice.Title != "")
}

// requestFilter reads the parameters of a list of requests.
func (c *call) requestFilter() (f requestFilter, ok bool) {
	p := c.parameters("token", "status", "path", "since", "before", "limit", "await", "await_answers", "unmatched", "advice", "brief", "bodies")
	f = requestFilter{
		token:        p.token(),
		path:         p.values["path"],
		status:       p.number("status", 0, 599, -1),
		since:        p.number("since", 0, maxNumber, 0),
		before:       p.number("before", 1, maxNumber, maxNumber),
		limit:        p.number("limit", 1, maxListed, listedRequests),
		await:        p.number("await", 1, maxNumber, 0),
		awaitAnswers: p.number("await_answers", 1, maxNumber, 0),
		unmatched:    p.boolean("unmatched", "for the requests that matched nothing, or false for the others"),
		advice:       p.boolean("advice", "for the requests that have advice, or false for the others"),
		brief:        p.boolean("brief", "to leave out headers, bodies and the text of advice, or false"),
		bodies:       p.boolean("bodies", "for whole bodies, or false for their first 256 bytes"),
	}
	if (f.await > 0 || f.awaitAnswers > 0) && f.token == nil {
		p.refuse("The parameters await and await_answers need the parameter token, whose requests they count.")
	}
	return f, !p.refused
}

// A requestList is the control plane's list of requests in the journal.
type requestList struct {
	Requests []Request `json:"requests"` // the latest first
	More     bool      `json:"more"`     // there are earlier ones
	Journal  int       `json:"journal"`  // a number that changes when everything is reset
	Version  int       `json:"version"`  // of the latest update; events can continue from it
	Advised  int       `json:"advised"`  // requests in the journal that have advice, listed or not

	// Count is how many requests have carried the token of the filter since the start,
	// or since they were last cleared, whether or not they are still in the journal.
	// Matched is how many of them matched the route. Both are nil without a token.
	Count   *int `json:"count,omitempty"`
	Matched *int `json:"matched,omitempty"`
}

// getRequests lists the journal, the latest first.
func getRequests(c *call) {
	f, ok := c.requestFilter()
	if !ok {
		return
	}
	s := c.server
	ctx := c.r.Context()
	if f.await > 0 && s.AwaitRequests(ctx, *f.token, f.await) != nil ||
		f.awaitAnswers > 0 && s.AwaitAnswers(ctx, *f.token, f.awaitAnswers) != nil {
		panic(http.ErrAbortHandler) // the client has gone away, or the server is being closed
	}
	c.jsonOf(func() any {
		list := requestList{Requests: []Request{}}
		if f.token != nil {
			count := s.state.count(*f.token)
			list.Count, list.Matched = &count.arrived, &count.matched
		}
		list.add(s, c.baseURL(), &f)
		if f.brief != nil && *f.brief {
			return list.brief()
		}
		return list
	})
}

// add adds the requests that the filter selects, with advice that names a base URL.
func (l *requestList) add(s *Server, baseURL string, f *requestFilter) {
	records, at := s.state.requests()
	l.Journal, l.Version = at.resets, at.version
	adviser := s.newAdviser(baseURL)
	texts, size := make(bodyTexts), 0
	for _, rec := range slices.Backward(records) {
		mayBeListed := !l.More && (f.token == nil || rec.token == *f.token)
		if !mayBeListed && !rec.mayBeAdvised() {
			continue
		}
		r := rec.request()
		adviser.advise(&r)
		if r.Advice.Title != "" {
			l.Advised++
		}
		if !f.has(&r) {
			continue
		}
		if f.bodies != nil && *f.bodies && !l.More {
			texts.add(&r, &rec)
			size += len(r.Answer.Body)
		}
		if l.More = l.More || len(l.Requests) == f.limit || size > s.config.limits.Journal && len(l.Requests) > 0; !l.More {
			l.Requests = append(l.Requests, r)
		}
	}
	adviser.addPreflights(l.Requests)
}

// deleteRequests removes the requests of a token, or all, from the journal.
func deleteRequests(c *call) { c.forTokenOrAll(c.server.ClearTokens, c.server.ClearRequests) }

// postReset resets a token, or everything.
func postReset(c *call) { c.forTokenOrAll(c.server.ResetTokens, c.server.Reset) }

// forTokenOrAll calls forTokens with the parameter token, or forAll without one.
func (c *call) forTokenOrAll(forTokens func(...string), forAll func()) {
	p := c.parameters("token")
	token := p.token()
	switch {
	case p.refused:
		return
	case token != nil:
		forTokens(*token)
	default:
		forAll()
	}
	c.WriteHeader(http.StatusNoContent)
}

// A requestSummary is a Request without headers, without its answer's body, and with
// only the title of its advice.
type requestSummary struct {
	Number    int       `json:"number"`
	At        time.Time `json:"at"`
	Token     string    `json:"token"`
	Method    string    `json:"method"`
	URL       string    `json:"url"`
	Status    int       `json:"status"`
	Reason    string    `json:"reason"`
	Duration  float64   `json:"duration_ms"`
	Unmatched bool      `json:"unmatched"`
	Complete  bool      `json:"complete"`
	Broken    bool      `json:"broken"`
	Advice    Advice    `json:"advice,omitzero"`
	Preflight int       `json:"preflight,omitzero"`
}

// A briefList is a requestList whose requests are summaries.
type briefList struct {
	requestList
	Requests []requestSummary `json:"requests"`
}

func (l requestList) brief() briefList {
	brief := briefList{l, []requestSummary{}}
	for i := range l.Requests {
		r := &l.Requests[i]
		brief.Requests = append(brief.Requests, requestSummary{
			Number: r.Number, At: r.At, Token: r.Token, Method: shorten(r.Method), URL: shorten(r.URL),
			Status: r.Status, Reason: r.Reason, Duration: inMilliseconds(r.Duration),
			Unmatched: r.Unmatched, Complete: r.Complete, Broken: r.Broken,
			Advice: Advice{Title: r.Advice.Title}, Preflight: r.Preflight,
		})
	}
	return brief
}
