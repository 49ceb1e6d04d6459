package fake

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

const journalBytes = 8 << 20

// However requests arrive, are answered and are cleared, the journal holds the
// latest of them, in their order, within its bounds, and as they were entered.
func TestJournalHoldsWhatItShould(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{0, 1, 2, 7, 100} {
		for largest, changes := range map[int]int{600: 2000, journalBytes / 3: 50, journalBytes + 1: 50} { // in bytes
			t.Run(fmt.Sprint(limit, " of ", largest), func(t *testing.T) {
				t.Parallel()
				random := rand.New(rand.NewPCG(uint64(limit), uint64(largest)))
				m := &modelJournal{journal: newJournal(limit, journalBytes), held: make(map[int]heldRequest)}
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

// A heldRequest is what the journal was told of a request.
type heldRequest struct {
	token                string
	received, sent, body []byte
}

// A modelJournal is a journal, with what was entered and not cleared since.
type modelJournal struct {
	journal
	held map[int]heldRequest // the journal may have dropped some of it
}

// change enters a request, or answers or clears one.
func (m *modelJournal) change(random *rand.Rand, largest int) {
	text := bytes.Repeat([]byte{byte('a' + random.IntN(26))}, random.IntN(largest))
	number := m.arrived - random.IntN(m.limit+3)
	entry := m.at(number)
	switch kind := random.IntN(10); {
	case kind < 5:
		token := fmt.Sprint("token-", m.arrived%3)
		m.held[m.add(time.Time{}, token, false, text, number)] = heldRequest{token: token, received: text}
	case entry == nil:
	case kind < 9:
		r := m.held[number]
		if r.sent != nil {
			break // it has an answer
		}
		r.sent, r.body = text, bytes.Repeat(text[:min(len(text), 1)], random.IntN(largest))
		m.held[number] = r
		m.answer(entry, answered{done: true}, text, r.body, number-1)
	default:
		m.clear(entry)
		delete(m.held, number)
	}
}

// check compares the journal with what was entered. Nothing is dropped for its bytes
// if all requests are small.
func (m *modelJournal) check(small bool) error {
	count, sum, last := 0, 0, 0
	bodies := make(map[*keptBody]int)
	for e := range m.entries {
		count++
		sum += e.bytes()
		if e.number <= last {
			return fmt.Errorf("request %d comes after %d", e.number, last)
		}
		last = e.number
		r, held := m.held[e.number]
		if !held || e.token != r.token || e.received != string(r.received) || e.sent != string(r.sent) {
			return fmt.Errorf("the entry of request %d has the token %q, %d and %d bytes; want %q, %d and %d", e.number, e.token, len(e.received), len(e.sent), r.token, len(r.received), len(r.sent))
		}
		switch b := e.body; {
		case b != nil && !bytes.Equal(b.text, r.body):
			return fmt.Errorf("request %d has another body", e.number)
		case b != nil:
			if bodies[b]++; bodies[b] == 1 {
				sum += len(b.text)
			}
		case small && len(r.body) > answerBytes:
			return fmt.Errorf("request %d has no body, and had one of %d bytes", e.number, len(r.body))
		}
		if m.at(e.number) != e {
			return fmt.Errorf("request %d is not found", e.number)
		}
	}
	for b, entries := range bodies {
		if b.entries != entries {
			return fmt.Errorf("a body counts %d entries, and %d have it", b.entries, entries)
		}
	}
	if len(m.bodies) > len(bodies) {
		return fmt.Errorf("%d bodies can be found, and %d are there", len(m.bodies), len(bodies))
	}
	switch {
	case sum != m.bytes:
		return fmt.Errorf("there are %d bytes, and %d are counted", sum, m.bytes)
	case count > m.limit:
		return fmt.Errorf("there are %d entries, of at most %d", count, m.limit)
	case sum > journalBytes && count > 1:
		return fmt.Errorf("there are %d bytes in %d entries", sum, count)
	}
	for number := -1; number <= m.arrived+m.limit+1; number++ {
		_, want := m.held[number]
		switch got := m.at(number) != nil; {
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

// A body that was cut off counts with the rest of it, which it keeps in memory.
func TestJournalCountsWhatACutBodyKeeps(t *testing.T) {
	t.Parallel()
	j := newJournal(10, journalBytes)
	for i := range 9 {
		whole := make([]byte, 1<<20)
		whole[0] = byte(i)
		j.answer(j.at(j.add(time.Time{}, "demo", false, nil, 0)), answered{}, nil, whole[:300], 0)
	}
	if j.bytes > journalBytes || j.at(1).body != nil || j.at(9).body == nil {
		t.Errorf("the journal counts %d bytes, and keeps the first body: %t", j.bytes, j.at(1).body != nil)
	}
}
