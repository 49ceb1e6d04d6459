package fake

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
)

const (
	// listedRequests is how many requests an answer lists unless told otherwise,
	// and maxListed how many at most.
	listedRequests, maxListed = 100, 1000

	// maxNumber is the largest number that every reader of JSON has.
	maxNumber = 1 << 53
)

// A requestFilter is which requests of the journal are asked for.
type requestFilter struct {
	token                *string // nil for all
	path                 string  // "" for all
	status               int     // -1 for all
	unmatched            *bool   // nil for all
	since, before, limit int
	await                int // how many have to arrive before the answer
}

// has reports whether a request is asked for. That of the token is seen to before.
func (f *requestFilter) has(r *Request) bool {
	return r.Number > f.since && r.Number < f.before && (f.status < 0 || r.Status == f.status) &&
		(f.path == "" || withoutQuery(r.URL) == f.path) && (f.unmatched == nil || r.Unmatched == *f.unmatched)
}

// requestFilter reads the parameters of a list of requests.
func (c *call) requestFilter() (f requestFilter, ok bool) {
	values, ok := c.parameters("token", "status", "path", "since", "before", "limit", "await", "unmatched")
	if !ok {
		return f, false
	}
	number := func(name string, least, most, otherwise int) int {
		text, given := values[name]
		if !given || !ok {
			return otherwise
		}
		value, err := strconv.Atoi(text)
		if err != nil || value < least || value > most {
			ok = false
			c.refuse(http.StatusBadRequest, fmt.Sprintf("The parameter %s is %q; send a whole number from %d to %d.", name, shorten(text), least, most))
		}
		return value
	}
	f.path = values["path"]
	f.status = number("status", 0, 599, -1)
	f.since = number("since", 0, maxNumber, 0)
	f.before = number("before", 1, maxNumber, maxNumber)
	f.limit = number("limit", 1, maxListed, listedRequests)
	f.await = number("await", 1, maxNumber, 0)
	if !ok {
		return f, false
	}
	if token, given := values["token"]; given {
		f.token = &token
	}
	if f.await > 0 && f.token == nil {
		c.refuse(http.StatusBadRequest, "The parameter await needs the parameter token, whose requests it counts.")
		return f, false
	}
	if text, given := values["unmatched"]; given {
		unmatched := text == "true"
		f.unmatched = &unmatched
		if !unmatched && text != "false" {
			c.refuse(http.StatusBadRequest, fmt.Sprintf("The parameter unmatched is %q; send true for the requests that matched nothing, or false for the others.", shorten(text)))
			return f, false
		}
	}
	return f, true
}

// A requestList is what the control plane lists of the journal.
type requestList struct {
	Requests []Request `json:"requests"` // the latest first
	More     bool      `json:"more"`     // there are earlier ones
	Journal  int       `json:"journal"`  // another one after a reset of everything
	Version  int       `json:"version"`  // of the latest update, for events to go on from

	// Count is how many requests carried the token that was asked for, since the
	// start or the last time they were cleared, whether or not they are still in
	// the journal, and Matched how many of them matched the route; nil if no token
	// was asked for.
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
	if f.await > 0 && s.AwaitRequests(c.r.Context(), *f.token, f.await) != nil {
		panic(http.ErrAbortHandler) // the client has gone away, or the server is being closed
	}
	list := requestList{Requests: []Request{}}
	if f.token != nil {
		arrived, matched := s.state.count(*f.token)
		list.Count, list.Matched = &arrived, &matched
	}
	records, at := s.state.requests(f.token)
	list.Journal, list.Version = at.resets, at.version
	for _, rec := range slices.Backward(records) {
		r := rec.request()
		if !f.has(&r) {
			continue
		}
		if list.More = len(list.Requests) == f.limit; list.More {
			break
		}
		list.Requests = append(list.Requests, r)
	}
	c.json(http.StatusOK, list)
}

// deleteRequests clears the journal, or the requests of a token.
func deleteRequests(c *call) { c.forTokenOrAll(c.server.ClearTokens, c.server.ClearRequests) }

// postReset resets everything, or a token.
func postReset(c *call) { c.forTokenOrAll(c.server.ResetTokens, c.server.Reset) }

// forTokenOrAll calls one function with the parameter token, or the other if there
// is none.
func (c *call) forTokenOrAll(forTokens func(...string), forAll func()) {
	values, ok := c.parameters("token")
	if !ok {
		return
	}
	if token, given := values["token"]; given {
		forTokens(token)
	} else {
		forAll()
	}
	c.WriteHeader(http.StatusNoContent)
}
