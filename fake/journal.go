package fake

import (
	"encoding/binary"
	"net/http"
	"slices"
	"time"
)

const (
	// journalRequests is how many requests the journal holds by default.
	journalRequests = 1000

	// answerBytes is how much each entry holds of the body of an answer. The whole body
	// is shared with other entries.
	answerBytes = 256
)

// A journal is a ring of the latest requests. Request n is in slot (n-1) % limit. The
// requests of a token are mostly alike, and so are the answers: what is the same as
// before is shared, so that a busy server allocates little for its journal. state.mu
// must be held.
type journal struct {
	limit   int
	most    int     // bytes of headers, URLs and answers
	slots   []entry // grows to the limit
	arrived int     // the number of the latest request
	first   int     // the number of the oldest request that may be in a slot
	bytes   int     // in use by the entries from first on, and by bodies

	bodies    map[bodyKey]*keptBody // the latest of each token and length
	firstBody int                   // the number of the oldest request that may have one
}

// An entry is a Request as the journal holds it. What was received is packed into one
// string, and so is what was sent: the garbage collector would be slowed down by a
// thousand entries of a dozen strings each. A copy can be read without the lock.
type entry struct {
	number    int // 0 if the entry was cleared
	at        time.Time
	token     string
	unmatched bool
	received  string // method, host, URL and headers
	answered
}

// answered is the part of an entry that is known once there is an answer.
type answered struct {
	done     bool
	broken   bool // a fault changed the answer, or it ended early
	status   int
	reason   string
	duration time.Duration
	sent     string    // the start of the body, and the headers
	length   int       // of the whole body
	unsent   int       // how many bytes of it could not be sent
	body     *keptBody // the whole body; nil if it is not longer than its start, or not kept
	near     string    // a user's token of which an unknown one is probably a misspelling
}

func newJournal(limit, most int) journal {
	return journal{limit: limit, most: most, first: 1, bodies: make(map[bodyKey]*keptBody)}
}

// add enters a request, and returns its number. earlier is a request of the same token,
// or 0: if it received the same, the text is shared.
func (j *journal) add(at time.Time, token string, unmatched bool, received []byte, earlier int) int {
	j.arrived++
	if j.limit == 0 {
		return j.arrived
	}
	slot := (j.arrived - 1) % j.limit
	if slot == len(j.slots) {
		j.slots = append(j.slots, entry{})
	} else if j.arrived-j.first >= j.limit {
		j.dropFirst()
	}
	known := ""
	if e := j.at(earlier); e != nil {
		known = e.received
	}
	e := &j.slots[slot]
	*e = entry{number: j.arrived, at: at, token: token, unmatched: unmatched, received: shared(known, received)}
	j.bytes += e.bytes()
	j.dropBeyondLimit()
	return j.arrived
}

// at returns the entry of a request, nil if it is no longer in the journal.
func (j *journal) at(number int) *entry {
	if number < j.first || number > j.arrived || j.limit == 0 {
		return nil
	}
	if e := &j.slots[(number-1)%j.limit]; e.number == number {
		return e
	}
	return nil
}

// shared returns text as a string, which is the known one if they are equal.
func shared(known string, text []byte) string {
	if known == string(text) {
		return known
	}
	return string(text)
}

// answer completes an entry. If the earlier request was sent the same, the text is
// shared. The body is not copied.
func (j *journal) answer(e *entry, a answered, sent, body []byte, earlier int) {
	known := ""
	if e := j.at(earlier); e != nil {
		known = e.sent
	}
	j.bytes -= e.bytes()
	e.answered = a
	e.sent = shared(known, sent)
	j.bytes += e.bytes()
	j.keep(e, body)
	j.dropBeyondLimit()
}

// dropBeyondLimit drops bodies and then the oldest entries while there are too many
// bytes, but never the latest entry.
func (j *journal) dropBeyondLimit() {
	j.dropBodies()
	for j.bytes > j.most && j.first < j.arrived {
		j.dropFirst()
	}
}

// dropFirst drops the oldest entry.
func (j *journal) dropFirst() {
	j.clear(&j.slots[(j.first-1)%j.limit])
	j.first++
}

// clear empties an entry.
func (j *journal) clear(e *entry) {
	if e.number == 0 {
		return
	}
	j.dropBody(e)
	j.bytes -= e.bytes()
	*e = entry{}
}

// entries yields the entries in the journal, the oldest first.
func (j *journal) entries(yield func(*entry) bool) {
	for number := j.first; number <= j.arrived; number++ {
		if e := j.at(number); e != nil && !yield(e) {
			return
		}
	}
}

// bytes returns at most how much memory an entry takes, without its body.
func (e *entry) bytes() int { return len(e.received) + len(e.sent) + len(e.token) }

// request returns the Request of an entry, with the start of the body.
func (e *entry) request() Request {
	r := Request{
		Number: e.number, At: e.at, Token: e.token, Header: make(http.Header),
		Status: e.status, Reason: e.reason, Duration: e.duration, Unmatched: e.unmatched, Complete: e.done, near: e.near,
	}
	var rest string
	r.Method, rest = unpack(e.received)
	r.Host, rest = unpack(rest)
	r.URL, rest = unpack(rest)
	r.Broken = e.broken && r.Method != http.MethodHead // which has no body to break
	unpackHeader(rest, r.Header)
	if e.sent != "" {
		r.Answer.Header = make(http.Header)
		r.Answer.Body, rest = unpack(e.sent)
		r.Answer.Bytes = e.length
		if r.Method != http.MethodHead {
			r.Answer.Sent = e.length - e.unsent
		}
		unpackHeader(rest, r.Answer.Header)
	}
	return r
}

// packRequest appends the method, host, URL and headers of a request.
func packRequest(dst []byte, r *http.Request) []byte {
	url := r.RequestURI
	if url == "" { // a request that was not read from a connection
		url = r.URL.RequestURI()
	}
	dst = pack(dst, r.Method)
	dst = pack(dst, r.Host)
	dst = pack(dst, url)
	return packHeader(dst, r.Header)
}

// pack appends the length of a string, and the string.
func pack[T string | []byte](dst []byte, s T) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

// unpack returns the first string that was packed, and the rest.
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

// packHeader appends headers in the order of their names, and unpackHeader reads them.
func packHeader(dst []byte, header http.Header) []byte {
	var few [16]string
	names := few[:0]
	for name := range header {
		if name != "Date" { // of an answer, to which net/http adds it later
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range header[name] {
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
