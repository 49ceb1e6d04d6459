// Package journal holds the latest requests and their answers in a ring. It has no lock:
// its owner, package state, has it.
package journal

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"time"
)

// A Journal is a ring of the latest requests. Request n is in slot (n-1) % limit.
type Journal struct {
	limit     int     // of requests
	mostBytes int     // at most so many, if the latest request alone does not have more
	slots     []Entry // grows to the limit
	arrived   int     // the number of the latest request
	first     int     // the number of the oldest request that may be in a slot
	bytes     int     // of the entries and the bodies

	bodies    map[*byte]int // how many entries have each body, by its first byte
	firstBody int           // the number of the oldest request that may have a whole body

	preflights []int // allowed ones that no request has yet, the oldest first

	// UnmatchedDropped reports that a request that matched nothing is not in the journal for
	// want of room. What was cleared does not count.
	UnmatchedDropped bool
}

// New makes a journal for so many requests, which take at most so many bytes.
func New(limit, mostBytes int) Journal {
	return Journal{limit: limit, mostBytes: mostBytes, first: 1, bodies: make(map[*byte]int)}
}

// Emptied returns an empty journal with the limits of j.
func (j *Journal) Emptied() Journal { return New(j.limit, j.mostBytes) }

// Add enters a request that arrived at a time, and returns its number. earlier is the
// number of the token's request before it, or 0. The requests of a token are mostly alike,
// and so are the answers: what is equal is shared, so that a busy server allocates little.
func (j *Journal) Add(r *http.Request, at time.Time, token string, unmatched bool, earlier int) int {
	j.arrived++
	j.first = max(j.first, j.arrived-j.limit+1)
	if j.limit == 0 {
		j.UnmatchedDropped = j.UnmatchedDropped || unmatched
		return j.arrived
	}
	header := shared(r.Header, j.known(earlier).Header)
	e := j.nextSlot()
	*e = Entry{
		Number: j.arrived, At: at, Token: token, Unmatched: unmatched,
		Method: r.Method, Host: r.Host, URL: urlOf(r), Header: header, earlier: earlier,
	}
	j.grow(e, entryBytes+len(e.Token)+len(e.Method)+len(e.Host)+len(e.URL)+bytesOf(e.Header))
	j.bound()
	return j.arrived
}

// nextSlot returns the slot of the latest request, which is empty.
func (j *Journal) nextSlot() *Entry {
	slot := (j.arrived - 1) % j.limit
	if slot == len(j.slots) {
		j.slots = append(j.slots, Entry{})
	}
	e := &j.slots[slot]
	j.drop(e)
	return e
}

// At returns the entry of a request, nil if it is no longer in the journal.
func (j *Journal) At(number int) *Entry {
	if number < j.first || number > j.arrived {
		return nil
	}
	if e := &j.slots[(number-1)%j.limit]; e.Number == number {
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

// grow counts bytes that an entry takes.
func (j *Journal) grow(e *Entry, bytes int) {
	e.bytes += bytes
	j.bytes += bytes
}

// Answer completes an entry with the headers of the answer, nil if there is none, and with
// its body.
func (j *Journal) Answer(e *Entry, a Answered, header http.Header, body []byte) {
	j.grow(e, len(a.Reason)-len(e.Reason))
	e.Answered = a
	if header != nil {
		j.setAnswer(e, header, body)
		j.grow(e, bytesOf(e.sent)+len(e.start))
	}
	if header.Get("Access-Control-Allow-Origin") != "" && e.isPreflight() {
		j.preflights = append(j.preflights, e.Number) // the browser will send the request now
	}
	j.bound()
}

// setAnswer sets the headers and the body of an entry's answer. It leaves out Date, which
// net/http mostly adds later.
func (j *Journal) setAnswer(e *Entry, header http.Header, body []byte) {
	if header["Date"] != nil {
		header = maps.Clone(header)
		delete(header, "Date")
	}
	known := j.known(e.earlier)
	e.sent, e.length = shared(header, known.sent), len(body)
	e.start = known.start
	if start := startOf(body); e.start != string(start) {
		e.start = string(start)
	}
	if bytes.Equal(known.body, body) {
		body = known.body
	}
	j.keep(e, body)
}

// shared returns the known headers if they are equal, else a copy.
func shared(header, known http.Header) http.Header {
	if known != nil && maps.EqualFunc(header, known, slices.Equal) {
		return known
	}
	return header.Clone()
}

// Explain changes what is known of the answer of an entry.
func (j *Journal) Explain(e *Entry, a Answered) {
	j.grow(e, len(a.Reason)-len(e.Reason))
	e.Answered = a
	j.bound()
}

// bound drops whole bodies and then entries, the oldest first, until the journal is within
// its bytes. It keeps the latest entry.
func (j *Journal) bound() {
	for ; j.bytes > j.mostBytes && j.firstBody <= j.arrived; j.firstBody++ {
		if e := j.At(j.firstBody); e != nil {
			j.dropBody(e)
		}
	}
	for ; j.bytes > j.mostBytes && j.first < j.arrived; j.first++ {
		if e := j.At(j.first); e != nil {
			j.drop(e)
		}
	}
}

// drop empties an entry to make room.
func (j *Journal) drop(e *Entry) {
	j.UnmatchedDropped = j.UnmatchedDropped || e.Unmatched
	j.Clear(e)
}

// Clear empties an entry.
func (j *Journal) Clear(e *Entry) {
	if e.Number == 0 {
		return
	}
	j.dropBody(e)
	j.bytes -= e.bytes
	*e = Entry{}
}

// Copy returns a copy of an entry, without its preflight if that was dropped.
func (j *Journal) Copy(e *Entry) Entry {
	c := *e
	if j.At(c.Preflight) == nil {
		c.Preflight = 0
	}
	return c
}

// Entries yields the entries in the journal, the oldest first.
func (j *Journal) Entries(yield func(*Entry) bool) {
	for number := j.first; number <= j.arrived; number++ {
		if e := j.At(number); e != nil && !yield(e) {
			return
		}
	}
}
