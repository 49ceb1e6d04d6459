package fake

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// getRequests lists the journal, the latest first.
func (s *Server) getRequests(x *exchange) {
	values, ok := x.parameters("token", "status", "path", "since", "before", "limit", "await", "unmatched")
	if !ok {
		return
	}
	number := func(name string, least, most, otherwise int) int {
		text, given := values[name]
		if !given || !ok {
			return otherwise
		}
		value, err := strconv.Atoi(text)
		if err != nil || value < least || value > most {
			ok = false
			x.refuse(http.StatusBadRequest, fmt.Sprintf("The parameter %s is %q; send a whole number from %d to %d.", name, shorten(text), least, most))
		}
		return value
	}
	const largest = 1 << 53 // that every reader of JSON has
	status := number("status", 0, 599, -1)
	since := number("since", 0, largest, 0)
	before := number("before", 1, largest, largest)
	limit := number("limit", 1, listedMost, listedRequests)
	await := number("await", 1, largest, 0)
	if !ok {
		return
	}
	unmatched, byMatch := values["unmatched"]
	if byMatch && unmatched != "true" && unmatched != "false" {
		x.refuse(http.StatusBadRequest, fmt.Sprintf("The parameter unmatched is %q; send true for the requests that matched nothing, or false for the others.", shorten(unmatched)))
		return
	}
	token, byToken := values["token"]
	if await > 0 && !byToken {
		x.refuse(http.StatusBadRequest, "The parameter await needs the parameter token, whose requests it counts.")
		return
	}
	if await > 0 && s.AwaitRequests(s.attended(x), token, await) != nil && (x.request.Context().Err() != nil || s.stopping.Err() != nil) {
		panic(http.ErrAbortHandler) // the client has gone away, or the server is being closed
	}
	list := requestList{Requests: []Request{}}
	var records []record
	s.mu.Lock()
	list.Journal, list.Version = s.journal.since, s.feed.version
	if count, certain := s.accounts.count(token); byToken && certain {
		list.Count = &count
	}
	for _, e := range s.journal.entries() {
		if !byToken || e.token == token {
			records = append(records, e.record())
		}
	}
	s.mu.Unlock()
	path, byPath := values["path"]
	for _, rec := range slices.Backward(records) {
		r := rec.request()
		asked, _, _ := strings.Cut(r.URL, "?")
		if r.Number >= before || r.Number <= since || status >= 0 && r.Status != status || byPath && asked != path || byMatch && r.Unmatched != (unmatched == "true") {
			continue
		}
		if list.More = len(list.Requests) == limit; list.More {
			break
		}
		list.Requests = append(list.Requests, r)
	}
	x.json(http.StatusOK, list)
}

// A requestList is what the control plane lists of the journal.
type requestList struct {
	Requests []Request `json:"requests"` // the latest first
	More     bool      `json:"more"`     // there are earlier ones
	Journal  int       `json:"journal"`  // another one after a reset of everything
	Version  int       `json:"version"`  // of the latest change, for events to go on from

	// Count is how many requests carried the token that was asked for, since the
	// start or the last time they were cleared, whether or not they are still in
	// the journal; nil if no token was asked for, or nobody can tell.
	Count *int `json:"count,omitempty"`
}

func (s *Server) deleteRequests(x *exchange) {
	values, ok := x.parameters("token")
	if !ok {
		return
	}
	if token, given := values["token"]; given {
		s.ClearTokens(token)
	} else {
		s.ClearRequests()
	}
	x.WriteHeader(http.StatusNoContent)
}

func (s *Server) postReset(x *exchange) {
	values, ok := x.parameters("token")
	if !ok {
		return
	}
	if token, given := values["token"]; given {
		s.ResetTokens(token)
	} else {
		s.Reset()
	}
	x.WriteHeader(http.StatusNoContent)
}

// requestJSON is a Request in JSON.
type requestJSON struct {
	Number    int         `json:"number"`
	At        time.Time   `json:"at"`
	Token     string      `json:"token"`
	Method    string      `json:"method"`
	Host      string      `json:"host"`
	URL       string      `json:"url"`
	Header    http.Header `json:"header"`
	Status    int         `json:"status"`
	Reason    string      `json:"reason"`
	Duration  float64     `json:"duration_ms"`
	Answer    *answerJSON `json:"answer"` // null if there is none
	Unmatched bool        `json:"unmatched"`
}

// answerJSON is an Answer in JSON.
type answerJSON struct {
	Header http.Header `json:"header"`
	Body   string      `json:"body"`
	Bytes  int         `json:"bytes"`
}

// MarshalJSON returns the request as the control plane lists it: under the names
// of its fields, in lower case, with the duration in milliseconds as duration_ms.
func (r Request) MarshalJSON() ([]byte, error) {
	var answer *answerJSON
	if r.Answer.Header != nil {
		answer = (*answerJSON)(&r.Answer)
	}
	return json.Marshal(requestJSON{
		r.Number, r.At, r.Token, r.Method, r.Host, r.URL, r.Header, r.Status, r.Reason, float64(r.Duration) / float64(time.Millisecond), answer, r.Unmatched,
	})
}

// UnmarshalJSON reads what MarshalJSON returns.
func (r *Request) UnmarshalJSON(text []byte) error {
	var read requestJSON
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	var answer Answer
	if read.Answer != nil {
		answer = Answer(*read.Answer)
	}
	*r = Request{
		read.Number, read.At, read.Token, read.Method, read.Host, read.URL, read.Header, read.Status, read.Reason,
		time.Duration(math.Round(read.Duration * float64(time.Millisecond))), answer, read.Unmatched,
	}
	return nil
}
