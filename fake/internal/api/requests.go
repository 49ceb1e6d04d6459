package api

import "example.com/campaignfake/fake/internal/journal"

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
