// Package ring has the journal of a running server: the latest requests, with their answers and
// reasons, in a ring whose memory is bounded. The journal has no lock of its own. Package engine,
// which owns it, calls it under its lock. Package journal describes a request for users.
package ring

import (
	"net/http"

	"example.com/campaignfake/fake/journal"
)

const (
	// limit is how many requests a journal holds.
	limit = 1000

	// mostBytes is at most how many bytes a journal takes, if its latest request alone does
	// not take more.
	mostBytes = 8 << 20

	// bodyBytes is at most how much of a body it holds.
	bodyBytes = 4 << 10
)

// A Journal is a ring of the latest requests. Request n is in slot (n-1) % limit.
type Journal struct {
	slots   []Entry // grows to the limit
	arrived int     // the number of the latest request
	first   int     // the number of the oldest request that may be in a slot
	bytes   int     // of the entries
}

// New makes a journal.
func New() *Journal {
	return &Journal{first: 1}
}

// Add enters a request that has arrived, which gets its number and what was received.
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
	request.Header = received.Header.Clone()
	j.put(Entry{Request: *request})
}

// slot returns where the entry of one of the latest requests is. It is empty if that was removed.
func (j *Journal) slot(number int) *Entry {
	return &j.slots[(number-1)%limit]
}

// holds reports whether the entry of a request is in the journal.
func (j *Journal) holds(number int) bool {
	isLatest := number >= j.first && number <= j.arrived
	return isLatest && j.slot(number).Request.Number != 0
}

// Note enters what is known of a request by now, with the headers of its answer, nil if there is
// none yet, and the body, nil if it has none or is not known. It does nothing for a request that
// is no longer in the journal.
func (j *Journal) Note(e Entry, header http.Header, body []byte) {
	if !j.holds(e.Request.Number) {
		return
	}
	if header != nil {
		e.Request.Answer.Header = header.Clone()
		if body != nil {
			e.Request.Answer.Body = string(start(body))
			e.Request.Answer.Bytes = len(body)
		}
	}
	j.put(e)
}

// put copies an entry into its slot, and drops entries, the oldest first, until the journal is
// within its bytes. It keeps the latest entry.
func (j *Journal) put(e Entry) {
	e.bytes = sizeOf(&e.Request)
	slot := j.slot(e.Request.Number)
	j.bytes += e.bytes - slot.bytes
	*slot = e
	for ; j.bytes > mostBytes && j.first < j.arrived; j.first++ {
		j.empty(j.slot(j.first))
	}
}

// Clear removes the entries of some tokens.
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

// Entries yields the entries in the journal, the oldest first.
func (j *Journal) Entries(yield func(*Entry) bool) {
	for number := j.first; number <= j.arrived; number++ {
		if j.holds(number) && !yield(j.slot(number)) {
			return
		}
	}
}
