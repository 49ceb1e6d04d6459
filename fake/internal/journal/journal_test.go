package journal

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"testing"
	"time"
)

// mostBytes is the limit of the journal in these tests.
const mostBytes = 8 << 20

// However requests arrive, are answered and are cleared, the journal holds the
// latest of them, in their order, within its bounds, and as they were entered.
func TestJournalHoldsWhatItShould(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{0, 1, 2, 7, 100} {
		for largest, changes := range map[int]int{600: 800, mostBytes / 3: 30, mostBytes + 1: 30} { // in bytes
			t.Run(fmt.Sprint(limit, " of ", largest), func(t *testing.T) {
				t.Parallel()
				random := rand.New(rand.NewPCG(uint64(limit), uint64(largest)))
				m := &modelJournal{Journal: New(limit, mostBytes), held: make(map[int]heldRequest)}
				for range changes {
					m.change(random, largest)
					if err := m.check(largest == 600); err != nil {
						t.Fatal(err)
					}
				}
			})
		}
	}
}

// A heldRequest is what was entered of a request.
type heldRequest struct {
	token          string
	received, sent http.Header
	body           []byte
}

// A modelJournal is a journal, with what was entered and not cleared since.
type modelJournal struct {
	Journal
	held map[int]heldRequest // the journal may have dropped some of it
}

// change enters a request, or answers or clears one.
func (m *modelJournal) change(random *rand.Rand, largest int) {
	text := bytes.Repeat([]byte{byte('a' + random.IntN(26))}, random.IntN(largest))
	header := http.Header{"X-Text": {string(text), "more"}, fmt.Sprint("X-", random.IntN(3)): {"1"}}
	number := m.arrived - random.IntN(m.limit+3)
	entry := m.At(number)
	switch kind := random.IntN(10); {
	case kind < 5:
		token := fmt.Sprint("token-", m.arrived%3)
		m.held[m.Add(request(header), time.Time{}, token, false, number)] = heldRequest{token: token, received: header}
	case entry == nil:
	case kind < 9:
		r := m.held[number]
		if r.sent != nil {
			break // it has an answer
		}
		r.sent, r.body = header, bytes.Repeat(text[:min(len(text), 1)], random.IntN(largest))
		m.held[number] = r
		m.Explain(entry, Answered{Reason: "soon"})
		m.Answer(entry, Answered{Done: true, Reason: "done"}, header, r.body)
		m.Explain(entry, Answered{Reason: string(text)})
	default:
		m.Clear(entry)
		delete(m.held, number)
	}
}

// request returns a request with headers that the journal must not share.
func request(header http.Header) *http.Request {
	return &http.Request{Method: "GET", Host: "fake.test", URL: &url.URL{Path: "/"}, Header: header.Clone()}
}

// check compares the journal with what was entered. Nothing is dropped for its bytes
// if all requests are small.
func (m *modelJournal) check(small bool) error {
	count, sum, last := 0, 0, 0
	bodies := make(map[*byte]int)
	for e := range m.Entries {
		count++
		sum += entryBytes + len(e.Token) + len(e.Method) + len(e.Host) + len(e.URL) + len(e.Reason) + len(e.start) + bytesOf(e.Header) + bytesOf(e.sent)
		if e.Number <= last {
			return fmt.Errorf("request %d comes after %d", e.Number, last)
		}
		last = e.Number
		if b := e.body; b != nil {
			if bodies[&b[0]]++; bodies[&b[0]] == 1 {
				sum += cap(b)
			}
		}
		if err := m.compare(e, small); err != nil {
			return err
		}
	}
	if !maps.Equal(m.bodies, bodies) {
		return fmt.Errorf("the journal counts the bodies %v, and has %v", m.bodies, bodies)
	}
	switch {
	case sum != m.bytes:
		return fmt.Errorf("there are %d bytes, and %d are counted", sum, m.bytes)
	case count > m.limit:
		return fmt.Errorf("there are %d entries, of at most %d", count, m.limit)
	case sum > mostBytes && count > 1:
		return fmt.Errorf("there are %d bytes in %d entries", sum, count)
	}
	return m.checkNumbers(small)
}

// compare compares an entry with what was entered.
func (m *modelJournal) compare(e *Entry, small bool) error {
	want, held := m.held[e.Number]
	got := e.Request()
	switch {
	case !held || got.Token != want.token || !reflect.DeepEqual(got.Header, want.received) || (got.Answer != nil) != (want.sent != nil):
		return fmt.Errorf("the entry of request %d has the token %q and another header; want %q", e.Number, got.Token, want.token)
	case got.Answer != nil && (!reflect.DeepEqual(got.Answer.Header, want.sent) || !bytes.HasPrefix(want.body, []byte(got.Answer.Body))):
		return fmt.Errorf("the entry of request %d has another answer", e.Number)
	case e.body != nil && !bytes.Equal(e.body, want.body):
		return fmt.Errorf("request %d has another body", e.Number)
	case e.body == nil && small && len(want.body) > startBytes:
		return fmt.Errorf("request %d has no body, and had one of %d bytes", e.Number, len(want.body))
	case m.At(e.Number) != e:
		return fmt.Errorf("request %d is not found", e.Number)
	}
	return nil
}

// checkNumbers looks every request up by its number.
func (m *modelJournal) checkNumbers(small bool) error {
	for number := -1; number <= m.arrived+m.limit+1; number++ {
		_, want := m.held[number]
		switch got := m.At(number) != nil; {
		case got && !want:
			return fmt.Errorf("request %d is found, and should not be there", number)
		case want && !got && (small && number > m.arrived-m.limit || number == m.arrived && m.limit > 0):
			return fmt.Errorf("request %d is not found, of %d", number, m.arrived)
		case want && !got:
			delete(m.held, number) // it must not come back
		}
	}
	return nil
}

// dropOldest lowers the limit of bytes for a moment, so that the journal drops a body or an entry. It
// returns false if there is nothing to drop.
func (j *Journal) dropOldest() bool {
	before, limit := j.bytes, j.mostBytes
	j.mostBytes = before - 1
	j.bound()
	j.mostBytes = limit
	return j.bytes < before
}

// A body that was cut off counts with the rest of it, which it keeps in memory.
func TestJournalCountsWhatACutBodyKeeps(t *testing.T) {
	t.Parallel()
	j := New(10, 100<<20)
	for i := range 9 {
		whole := make([]byte, 1<<20)
		whole[0] = byte(i)
		e := j.At(j.Add(request(http.Header{}), time.Time{}, "demo", false, 0))
		j.Answer(e, Answered{}, http.Header{}, whole[:300])
	}
	if j.bytes < 9<<20 {
		t.Errorf("the journal counts %d bytes", j.bytes)
	}
	for range 3 {
		j.dropOldest()
	}
	if j.bytes > 7<<20 || j.At(3).body != nil || j.At(4).body == nil {
		t.Errorf("without three bodies the journal counts %d bytes, and keeps the third and the fourth: %t, %t", j.bytes, j.At(3).body != nil, j.At(4).body != nil)
	}
}

// Bodies are dropped before entries, and the latest entry never is.
func TestDropOldest(t *testing.T) {
	t.Parallel()
	j := New(3, mostBytes)
	for i := range 5 {
		e := j.At(j.Add(request(http.Header{"X-Number": {fmt.Sprint(i)}}), time.Time{}, "demo", false, 0))
		body := bytes.Repeat([]byte{byte('a' + i)}, 1000)
		j.Answer(e, Answered{}, http.Header{}, body)
	}
	j.Clear(j.At(4))
	var got []string
	for last := j.bytes; j.dropOldest(); last = j.bytes {
		if j.bytes >= last {
			t.Errorf("dropping leaves %d of %d bytes", j.bytes, last)
		}
		got = append(got, fmt.Sprint(j.At(3) != nil, j.At(5).body != nil))
	}
	if want := []string{"true true", "true false", "false false"}; !reflect.DeepEqual(got, want) {
		t.Errorf("request 3 and the body of request 5 are there: %v, want %v", got, want)
	}
}

// The body of an answer that came late is dropped as that of an old request.
func TestDropBodyOfALateAnswer(t *testing.T) {
	t.Parallel()
	j := New(3, mostBytes)
	answer := func(number int) {
		body := bytes.Repeat([]byte{byte(number)}, 1000)
		j.Answer(j.At(number), Answered{}, http.Header{}, body)
	}
	for range 3 {
		j.Add(request(http.Header{}), time.Time{}, "demo", false, 0)
	}
	answer(2)
	j.dropOldest()
	answer(3)
	answer(1)
	if !j.dropOldest() || j.At(1) == nil || j.At(1).body != nil || j.At(3).body == nil {
		t.Errorf("the oldest entry is %+v, the latest %+v", j.At(1), j.At(3))
	}
}

// The journal has headers as they were, whatever becomes of them.
func TestJournalCopiesHeaders(t *testing.T) {
	t.Parallel()
	j := New(2, mostBytes)
	for number := range 2 {
		header := http.Header{"X-Same": {"same"}, "X-Number": {fmt.Sprint(number)}}
		e := j.At(j.Add(&http.Request{URL: &url.URL{}, Header: header}, time.Time{}, "demo", false, number))
		j.Answer(e, Answered{}, header, nil)
		header["X-Same"][0], header["X-Number"][0] = "changed", "changed"
	}
	for e := range j.Entries {
		want := http.Header{"X-Same": {"same"}, "X-Number": {fmt.Sprint(e.Number - 1)}}
		if r := e.Request(); !reflect.DeepEqual(r.Header, want) || !reflect.DeepEqual(r.Answer.Header, want) {
			t.Errorf("request %d has %v, and was answered %v", e.Number, r.Header, r.Answer.Header)
		}
	}
}

// Equal requests and answers of a token take their memory once.
func TestJournalSharesWhatIsEqual(t *testing.T) {
	t.Parallel()
	j := New(2, mostBytes)
	var entries []*Entry
	for number := range 2 {
		header := http.Header{"X-Same": {"same"}}
		e := j.At(j.Add(request(header), time.Time{}, "demo", false, number))
		j.Answer(e, Answered{}, header, []byte("body"))
		entries = append(entries, e)
	}
	same := func(a, b http.Header) bool { return &a["X-Same"][0] == &b["X-Same"][0] }
	if !same(entries[0].Header, entries[1].Header) || !same(entries[0].sent, entries[1].sent) {
		t.Error("two equal requests have two copies of their headers")
	}
}
