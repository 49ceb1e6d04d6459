// Package ring has the journal of a running server: the latest requests, with their answers and
// reasons, in a ring whose memory is bounded. The journal has no lock of its own. Package engine,
// which owns it, calls it under its lock. Package journal describes a request for users.
package ring

import (
	"maps"
	"net/http"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/journal"
)

const (
	// limit is how many requests a journal holds.
	limit = 1000

	// mostBytes is how many bytes the entries of a journal may take. The latest entry may take more
	// alone.
	mostBytes = 8 << 20
)

// A Journal is a ring of the latest requests. Request n is in slot (n-1) % limit. It copies headers,
// but not their lists of values: whoever changes a header sets it, adds to it, or deletes it, and
// none of that changes a list that is there.
type Journal struct {
	slots   []Entry // grows to the limit
	arrived int     // the number of the latest request
	first   int     // the number of the oldest request that may be in a slot
	bytes   int     // how many bytes the entries take
}

// New makes a journal.
func New() *Journal {
	return &Journal{first: 1}
}

// Add enters a request that has arrived. It sets the request's number, and what was received.
func (j *Journal) Add(request *journal.Request, received *http.Request) {
	if len(j.slots) < limit {
		j.slots = append(j.slots, Entry{})
	}
	j.arrived++
	j.first = max(j.first, j.arrived-limit+1)
	request.Number = j.arrived
	request.Method = received.Method
	request.Host = received.Host
	request.URL = urlOf(received)
	request.Header = maps.Clone(received.Header)
	j.put(&Entry{Request: *request})
}

// slot returns the slot of one of the latest requests. The slot is empty if the entry was removed.
func (j *Journal) slot(number int) *Entry {
	return &j.slots[(number-1)%limit]
}

// holds reports whether the entry of a request is in the journal.
func (j *Journal) holds(number int) bool {
	isLatest := number >= j.first && number <= j.arrived
	return isLatest && j.slot(number).Request.Number != 0
}

// Note enters what is known of a request by now. The header is that of its answer, and nil if there
// is no answer yet. The body is zero if the answer has none, or if it is not known. Note does
// nothing if the request is no longer in the journal.
func (j *Journal) Note(e *Entry, header http.Header, body plan.Body) {
	if !j.holds(e.Request.Number) {
		return
	}
	if header != nil {
		e.Request.Answer.Header = maps.Clone(header)
		// A name without values only keeps net/http from adding the header.
		maps.DeleteFunc(e.Request.Answer.Header, func(_ string, values []string) bool {
			return len(values) == 0
		})
		if body.Bytes != nil {
			e.body = body.Start
			e.Request.Answer.Bytes = len(body.Bytes)
		}
	}
	j.put(e)
}

// put copies an entry into its slot, and drops entries, the oldest first, until the journal is
// within its bytes. It keeps the latest entry.
func (j *Journal) put(e *Entry) {
	e.bytes = sizeOf(e)
	slot := j.slot(e.Request.Number)
	j.bytes += e.bytes - slot.bytes
	*slot = *e
	for ; j.bytes > mostBytes && j.first < j.arrived; j.first++ {
		j.empty(j.slot(j.first))
	}
}

// Clear removes the entries with the tokens for which a function returns true.
func (j *Journal) Clear(of func(token string) bool) {
	for e := range j.Entries {
		if of(e.Request.Token) {
			j.empty(e)
		}
	}
}

// empty empties the slot of an entry.
func (j *Journal) empty(e *Entry) {
	j.bytes -= e.bytes
	*e = Entry{}
}

// Entries yields the entries in the journal, the oldest first. They have no bodies before FillBody.
func (j *Journal) Entries(yield func(*Entry) bool) {
	for number := j.first; number <= j.arrived; number++ {
		if j.holds(number) && !yield(j.slot(number)) {
			return
		}
	}
}
