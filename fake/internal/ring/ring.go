// Package ring has the journal of a running server: the latest requests, with their answers and
// reasons, in a ring. The journal has no lock of its own. Package engine owns the journal, and
// holds its own lock when it calls a method. Package journal has the type of a request that users
// see.
package ring

import (
	"net/http"

	"example.com/campaignfake/fake/internal/plan"
)

// limit bounds how many requests a journal holds.
const limit = 1000

// A Journal is a ring of the latest requests. Request n is in slot (n-1) % limit.
type Journal struct {
	slots   []Entry // has at most limit entries
	arrived int     // the number of the latest request
}

// New makes a journal.
func New() *Journal {
	return &Journal{}
}

// Add adds an entry for a request that has arrived. It sets the number, the method, the host and
// the URL of the request. The argument header has the headers that the journal shows for the
// request.
func (j *Journal) Add(e *Entry, received *http.Request, header http.Header) {
	if len(j.slots) < limit {
		j.slots = append(j.slots, Entry{})
	}
	j.arrived++
	e.Request.Number = j.arrived
	e.Request.Method = received.Method
	e.Request.Host = received.Host
	e.Request.URL = urlOf(received)
	e.received = fieldsOf(header)
	*j.slot(j.arrived) = *e
}

// slot returns the slot of a request. The slot has another request, or none, if the entry was
// dropped or cleared.
func (j *Journal) slot(number int) *Entry {
	return &j.slots[(number-1)%limit]
}

// Note replaces the entry of a request by e. The argument header is the header of the answer, and
// nil if there is no answer yet. The body is zero if the answer has no body, or if the body is not
// known. Note does nothing if the request is no longer in the journal.
func (j *Journal) Note(e *Entry, header http.Header, body plan.Body) {
	slot := j.slot(e.Request.Number)
	if slot.Request.Number != e.Request.Number {
		return
	}
	if header != nil {
		e.sent = fieldsOf(header)
		if body.Bytes != nil {
			e.body = body.Start
			e.Request.Answer.Bytes = len(body.Bytes)
		}
	}
	*slot = *e
}

// Clear calls the function with the token of each entry, and removes the entry if the function
// returns true.
func (j *Journal) Clear(of func(token string) bool) {
	for e := range j.Entries {
		if of(e.Request.Token) {
			*e = Entry{}
		}
	}
}

// Entries yields the entries in the journal, the oldest first. The Requests of these entries have
// no headers and no bodies: Entry.Fill adds them.
func (j *Journal) Entries(yield func(*Entry) bool) {
	oldest := max(j.arrived-limit, 0) + 1
	for number := oldest; number <= j.arrived; number++ {
		e := j.slot(number)
		isThere := e.Request.Number == number
		if isThere && !yield(e) {
			return
		}
	}
}
