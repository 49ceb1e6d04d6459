package fake

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Request is an entry of the journal: what was received, what was answered,
// and why.
type Request struct {
	// Number counts the requests of a server from 1, in their order of arrival,
	// since the start or the last Reset.
	Number int

	// At is when the request arrived.
	At time.Time

	// Token is the bearer token, "" if there was none that could be read.
	Token string

	// Method, Host and URL are as they were received; the URL is the path with
	// the query.
	Method, Host, URL string

	// Header holds the request's headers.
	Header http.Header

	// Status is what was answered, 0 while there is no answer, and where none
	// came: after the faults reset, close, hang and garbage, or when the client
	// went away before.
	Status int

	// Reason says in words why that was the answer: which user, which reply of
	// how many, which fault, how long it was held back, and what was drawn. While
	// an answer is held back, or hangs, it says so.
	Reason string

	// Duration is the time from the arrival to the first byte of the answer, or
	// to the end if none came.
	Duration time.Duration

	// Answer is what was sent.
	Answer Answer

	// Unmatched marks a request for another path or with another method than
	// the service has.
	Unmatched bool
}

// An Answer is what the journal keeps of an answer.
type Answer struct {
	// Header holds the headers, save Date, nil if there is no answer.
	Header http.Header

	// Body is the start of the body: its first 256 bytes.
	Body string

	// Bytes is how long the whole body was to be.
	Bytes int
}

// answerBytes is how much is kept of a body.
const answerBytes = 256

const (
	// journalRequests is how many requests the journal keeps by default.
	journalRequests = 1000

	// journalBytes bounds their headers and URLs, however large each is.
	journalBytes = 8 << 20
)

// entry is a Request as the journal keeps it. What was received is packed into
// one piece: a thousand entries of a dozen strings each would keep the garbage
// collector busy, and each of the strings might be a small part of a large one.
type entry struct {
	number   int
	at       time.Time
	token    string
	version  int    // of its last change; see feed
	received []byte // method, host, URL and headers

	charged int // to the journal, 0 if it is in none

	// answered is set once, with the server's lock held. Nobody but the journal
	// uses an entry after that, so that it can be used again when it is given up.
	answered
}

// answered is the half of an entry that is known when there is an answer.
type answered struct {
	done      bool
	status    int
	reason    string
	duration  time.Duration
	unmatched bool
	broken    bool   // by a fault, or since it ended before its time
	sent      []byte // the start of the body, and headers, packed
	length    int    // of the body
}

// usualBytes is how much room is kept with an entry that is used again.
const usualBytes = 4 << 10

// bytes is about what an entry costs.
func (e *entry) bytes() int { return cap(e.received) + cap(e.sent) + len(e.token) }

// receive makes e the entry of a request.
func (e *entry) receive(r *http.Request) {
	e.at = time.Now()
	e.token, _ = bearerToken(r.Header)
	e.answered = answered{sent: e.sent[:0]}
	url := r.RequestURI
	if url == "" { // a request that was not read from a connection
		url = r.URL.RequestURI()
	}
	packed := pack(e.received[:0], r.Method)
	packed = pack(packed, r.Host)
	packed = pack(packed, url)
	e.received = packHeader(packed, r.Header)
}

// pack appends a string and, before it, its length.
func pack[T string | []byte](dst []byte, s T) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

// unpack returns the first string of what was packed, and the rest.
func unpack(packed string) (s, rest string) {
	length, shift, i := 0, 0, 0
	for ; packed[i] >= 0x80; i++ {
		length |= int(packed[i]&0x7f) << shift
		shift += 7
	}
	length |= int(packed[i]) << shift
	packed = packed[i+1:]
	return packed[:length], packed[length:]
}

// A record is an entry as it was when it was looked at.
type record struct {
	entry
	received, sent string
}

// record copies an entry. It is called with the server's lock held.
func (e *entry) record() record { return record{*e, string(e.received), string(e.sent)} }

// request returns what a record says.
func (e *record) request() Request {
	r := Request{
		Number: e.number, At: e.at, Token: e.token, Header: make(http.Header),
		Status: e.status, Reason: e.reason, Duration: e.duration, Unmatched: e.unmatched,
	}
	var rest string
	r.Method, rest = unpack(e.received)
	r.Host, rest = unpack(rest)
	r.URL, rest = unpack(rest)
	unpackHeader(rest, r.Header)
	if e.sent != "" {
		r.Answer.Header = make(http.Header)
		r.Answer.Body, rest = unpack(e.sent)
		r.Answer.Bytes = e.length
		unpackHeader(rest, r.Answer.Header)
	}
	return r
}

// packHeader appends headers, and unpackHeader reads them.
func packHeader(dst []byte, header http.Header) []byte {
	for name, values := range header {
		if name == "Date" { // of an answer, which net/http adds after this
			continue
		}
		for _, value := range values {
			dst = pack(dst, name)
			dst = pack(dst, value)
		}
	}
	return dst
}

func unpackHeader(packed string, header http.Header) {
	var name, value string
	for packed != "" {
		name, packed = unpack(packed)
		value, packed = unpack(packed)
		header[name] = append(header[name], value)
	}
}

// A journal is a ring of the latest requests. Its methods are called with the
// server's lock held.
type journal struct {
	limit   int
	spare   *sync.Pool // takes the entries that can be used again
	ring    []*entry   // grows to the limit
	oldest  int        // where the ring starts
	bytes   int
	dropped int // the highest version of what was given up
	cleared int // the version in which requests were forgotten last
	since   int // the version in which it was begun
	arrived int // requests since the start, kept or not

	changed chan struct{} // closed when something arrives; nil while nobody waits
}

func newJournal(limit int, spare *sync.Pool) *journal { return &journal{limit: limit, spare: spare} }

// newEntry returns the entry of a request that has just arrived, from the spare
// ones if there are any.
func newEntry(spare *sync.Pool, r *http.Request) *entry {
	e, ok := spare.Get().(*entry)
	if !ok {
		e = &entry{received: make([]byte, 0, 512)}
	}
	e.receive(r)
	return e
}

// release takes an entry back that the ring does not hold any more.
func (j *journal) release(e *entry) {
	e.charged = 0
	j.dropped = max(j.dropped, e.version)
	if e.done && cap(e.received)+cap(e.sent) <= usualBytes {
		j.spare.Put(e)
	}
}

func (j *journal) add(e *entry) {
	j.arrived++
	e.number = j.arrived
	j.wake()
	if j.limit == 0 {
		return
	}
	if len(j.ring) == j.limit {
		j.bytes -= j.ring[j.oldest].charged
		j.release(j.ring[j.oldest])
		j.ring[j.oldest] = e
		j.oldest = (j.oldest + 1) % j.limit
	} else {
		j.ring = append(j.ring, e)
	}
	j.charge(e)
}

// charge counts what an entry costs.
func (j *journal) charge(e *entry) {
	cost := e.bytes()
	j.bytes += cost - e.charged
	e.charged = cost
	if j.bytes > journalBytes {
		j.shed()
	}
}

// answer completes an entry.
func (j *journal) answer(e *entry, a answered) {
	a.sent = append(e.sent[:0], a.sent...)
	e.answered = a
	if e.charged > 0 { // it is still there
		j.charge(e)
	}
}

// shed gives up the oldest half of the entries. The latest stays in any case.
func (j *journal) shed() {
	entries := slices.Clone(j.entries())
	for len(entries) > 1 && j.bytes > journalBytes/2 {
		j.bytes -= entries[0].charged
		entries[0].charged = 0
		j.dropped = max(j.dropped, entries[0].version)
		entries = entries[1:]
	}
	j.ring, j.oldest = slices.Clone(entries), 0
}

// entries returns what the journal holds, oldest first.
func (j *journal) entries() []*entry {
	if j.oldest == 0 {
		return j.ring
	}
	return append(slices.Clone(j.ring[j.oldest:]), j.ring[:j.oldest]...)
}

// amend adds to the reason of a request whose answer ended before its time, if it is
// still there.
func (j *journal) amend(number int, more string, version int) {
	entries := j.entries()
	i, found := slices.BinarySearchFunc(entries, number, func(e *entry, number int) int { return e.number - number })
	if found {
		entries[i].reason += more
		entries[i].broken = true
		entries[i].version = version
	}
}

// clear forgets the requests of the tokens, or all of them if tokens is nil.
func (j *journal) clear(tokens []string) (latest int) {
	kept := []*entry(nil)
	j.bytes = 0
	for _, e := range j.entries() {
		if tokens != nil && !slices.Contains(tokens, e.token) {
			kept = append(kept, e)
			j.bytes += e.charged
		} else {
			e.charged = 0
			latest = max(latest, e.version)
		}
	}
	j.ring, j.oldest = kept, 0
	return latest
}

// wake tells those who wait that something has changed.
func (j *journal) wake() {
	if j.changed != nil {
		close(j.changed)
		j.changed = nil
	}
}

// change returns a channel that is closed when something arrives.
func (j *journal) change() <-chan struct{} {
	if j.changed == nil {
		j.changed = make(chan struct{})
	}
	return j.changed
}

// Requests returns what the journal holds of the given tokens, or of all
// requests if none is given, oldest first. The empty token stands for requests
// without one. The result is a copy; an entry is complete once the client has
// the whole answer.
//
// The journal keeps the latest 1,000 requests, WithJournal another number, and
// in any case no more than 8 MiB of them. Requests under /_fake/ are not in it.
func (s *Server) Requests(tokens ...string) []Request {
	var records []record
	s.mu.Lock()
	for _, e := range s.journal.entries() {
		if len(tokens) == 0 || slices.Contains(tokens, e.token) {
			records = append(records, e.record())
		}
	}
	s.mu.Unlock()

	requests := make([]Request, len(records))
	for i := range records {
		requests[i] = records[i].request()
	}
	return requests
}

// ClearRequests forgets all requests, and counts them from 0 again.
func (s *Server) ClearRequests() { s.clearRequests(nil) }

// ClearTokens forgets the requests that carry one of the tokens, and counts them
// from 0 again. Without tokens it does nothing.
func (s *Server) ClearTokens(tokens ...string) {
	if len(tokens) > 0 {
		s.clearRequests(tokens)
	}
}

// clearRequests forgets the requests of tokens, or all of them if tokens is nil.
func (s *Server) clearRequests(tokens []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accounts.clear(tokens)
	latest := s.journal.clear(tokens)
	defer func() { s.journal.cleared = s.feed.version }()
	if tokens == nil {
		s.forgot("requests", nil, latest)
	}
	for _, token := range tokens {
		s.forgot("requests", &token, latest)
	}
}

// AwaitRequests waits until at least n requests have arrived that carry the
// token, since the start or the last ClearRequests or Reset. The empty token
// stands for requests without one. An arrived request may still be without an
// answer. It fails when ctx is done or the server is closed, and at once if the
// token's requests cannot be counted (see CheckRequests).
func (s *Server) AwaitRequests(ctx context.Context, token string, n int) error {
	for {
		s.mu.Lock()
		count, certain := s.accounts.count(token)
		closed := s.closed
		changed := s.journal.change()
		s.mu.Unlock()
		switch {
		case count >= n:
			return nil
		case !certain:
			return uncountable(token)
		case closed:
			return fmt.Errorf("campaignfake: the server was closed after %d of %d requests %s", count, n, ofToken(token))
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("campaignfake: %d of %d requests %s have arrived: %w", count, n, ofToken(token), context.Cause(ctx))
		}
	}
}

func uncountable(token string) error {
	return fmt.Errorf("campaignfake: requests %s cannot be counted: the server has seen too many unknown tokens to count each; give the token a user", ofToken(token))
}

func ofToken(token string) string {
	if token == "" {
		return "without a token"
	}
	return fmt.Sprintf("of token %q", token)
}

// CheckRequests fails the test unless exactly n requests carried the token,
// since the start or the last ClearRequests or Reset. The empty token stands for
// requests without one. Requests are counted when they arrive, however many the
// journal keeps, and whatever they were answered. Of unknown tokens only the
// latest thousand or so can be counted; the failure says so where it matters.
func (s *Server) CheckRequests(tb TB, token string, n int) {
	tb.Helper()
	s.mu.Lock()
	count, certain := s.accounts.count(token)
	s.mu.Unlock()
	checkCount(tb, token, n, count, certain, s.Requests)
}

// checkCount fails the test unless the count of a token's requests is certain,
// and n.
func checkCount(tb TB, token string, n, count int, certain bool, requests func(...string) []Request) {
	tb.Helper()
	if !certain {
		tb.Errorf("%v", uncountable(token))
		return
	}
	if count == n {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "campaignfake: %s %s, want %d", counted(count, "request"), ofToken(token), n)
	var own, others []Request
	for _, r := range requests() {
		if r.Token == token {
			own = append(own, r)
		} else {
			others = append(others, r)
		}
	}
	writeRequests(&b, "These were", own)
	writeRequests(&b, "Others were", others)
	tb.Errorf("%s", b.String())
}

// writeRequests lists the latest of some requests under a title.
func writeRequests(b *strings.Builder, title string, requests []Request) {
	if len(requests) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:", title)
	const shown = 10
	if more := len(requests) - shown; more > 0 {
		fmt.Fprintf(b, "\n\t(%s)", counted(more, "earlier one"))
		requests = requests[more:]
	}
	for _, r := range requests {
		b.WriteString("\n\t" + r.line())
	}
}

// counted says how many there are of something.
func counted(count int, one string) string {
	if count == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", count, one)
}

// line describes a request and its answer in one line.
func (r Request) line() string {
	answer := "no answer yet"
	switch {
	case r.Status != 0:
		answer = fmt.Sprintf("%d, %s", r.Status, r.Reason)
	case r.Reason != "":
		answer = r.Reason
	}
	return fmt.Sprintf("%d. %s %s %s: %s", r.Number, r.Method, r.URL, withToken(r.Token), answer)
}

func withToken(token string) string {
	if token == "" {
		return "without a token"
	}
	return fmt.Sprintf("with token %q", token)
}
