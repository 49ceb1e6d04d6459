// Package journal holds the latest requests and their answers in a ring, and says in JSON what
// a request is. It has no lock: its owner, package engine, has it. It knows no other package
// of fake but words.
package journal

import (
	"maps"
	"net/http"
	"slices"
	"time"
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
func New() *Journal { return &Journal{first: 1} }

// Add enters a request that arrived at a time, and returns its number. earlier is the
// number of the token's request before it, or 0. The requests of a token are mostly alike,
// and so are the answers: what is equal is shared, so that a busy server allocates little.
func (j *Journal) Add(r *http.Request, at time.Time, token string, unmatched bool, earlier int) int {
	header := shared(r.Header, j.known(earlier).Header)
	slot := j.arrived % limit
	if slot == len(j.slots) {
		j.slots = append(j.slots, Entry{})
	}
	e := &j.slots[slot]
	j.empty(e)
	j.arrived++
	j.first = max(j.first, j.arrived-limit+1)
	*e = Entry{
		Request: Request{
			Number: j.arrived, At: at, Token: token, Unmatched: unmatched,
			Method: r.Method, Host: r.Host, URL: urlOf(r), Header: header,
		},
		earlier: earlier,
	}
	j.count(e)
	return j.arrived
}

// At returns the entry of a request, nil if it is no longer in the journal.
func (j *Journal) At(number int) *Entry {
	if number < j.first || number > j.arrived {
		return nil
	}
	if e := &j.slots[(number-1)%limit]; e.Number == number {
		return e
	}
	return nil
}

// known returns the entry of a request, an empty one if it is no longer in the journal.
func (j *Journal) known(number int) *Entry {
	if e := j.At(number); e != nil {
		return e
	}
	return new(Entry)
}

// Note enters what is known of an answer, with its headers, nil if there are none yet, and its
// body. It leaves out Date, which net/http mostly adds later. It does nothing for a request that
// is no longer in the journal.
func (j *Journal) Note(number int, a Answered, header http.Header, body []byte) {
	e := j.At(number)
	if e == nil {
		return
	}
	if header != nil {
		if header["Date"] != nil {
			header = maps.Clone(header)
			delete(header, "Date")
		}
		known := j.known(e.earlier).Answer
		e.Answer = Answer{Header: shared(header, known.Header), Body: known.Body, Bytes: len(body)}
		if start := Start(body, bodyBytes); known.Body != string(start) {
			e.Answer.Body = string(start)
		}
	}
	e.Status, e.Reason, e.Duration, e.Complete, e.Near = a.Status, a.Reason, a.Duration, a.Done, a.Near
	if e.Method != http.MethodHead {
		e.Broken, e.Answer.Sent = a.Broken, e.Answer.Bytes-a.Unsent
	}
	j.count(e)
}

// shared returns the known headers if they are equal, else a copy.
func shared(header, known http.Header) http.Header {
	if known != nil && maps.EqualFunc(header, known, slices.Equal) {
		return known
	}
	return header.Clone()
}

// count counts the bytes of an entry anew, and drops entries, the oldest first, until the journal
// is within its bytes. It keeps the latest entry.
func (j *Journal) count(e *Entry) {
	before := e.bytes
	e.bytes = entryBytes + len(e.Token) + len(e.Method) + len(e.Host) + len(e.URL) + bytesOf(e.Header) +
		len(e.Reason) + bytesOf(e.Answer.Header) + len(e.Answer.Body)
	j.bytes += e.bytes - before
	for ; j.bytes > mostBytes && j.first < j.arrived; j.first++ {
		if oldest := j.At(j.first); oldest != nil {
			j.empty(oldest)
		}
	}
}

// Clear removes the entries of some tokens.
func (j *Journal) Clear(of func(token string) bool) {
	for e := range j.Entries {
		if of(e.Token) {
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
		if e := j.At(number); e != nil && !yield(e) {
			return
		}
	}
}
