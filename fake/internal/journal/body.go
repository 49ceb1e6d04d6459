package journal

import (
	"unicode/utf8"

	"example.com/campaignfake/fake/internal/api"
)

// startBytes is how much of a body each entry has. Whole bodies are kept apart, and are
// dropped first.
const startBytes = 256

// startOf returns the first bytes of a body, without a part of a character at their end.
func startOf(body []byte) []byte {
	if len(body) <= startBytes {
		return body
	}
	end := startBytes
	for end > startBytes-utf8.UTFMax && !utf8.RuneStart(body[end]) {
		end--
	}
	return body[:end]
}

// keep stores the whole body of an entry's answer, which is not copied because bodies never
// change. A body that other entries have counts once. It counts with its capacity, since one
// that was cut off keeps the whole in memory. A body larger than the journal is not kept.
func (j *Journal) keep(e *Entry, body []byte) {
	if len(body) <= startBytes || cap(body) > j.mostBytes {
		return
	}
	if j.bodies[&body[0]]++; j.bodies[&body[0]] == 1 {
		j.bytes += cap(body)
	}
	e.body = body
	j.firstBody = min(j.firstBody, e.Number)
}

// dropBody drops the whole body of an entry, whose start stays.
func (j *Journal) dropBody(e *Entry) {
	if e.body == nil {
		return
	}
	if j.bodies[&e.body[0]]--; j.bodies[&e.body[0]] == 0 {
		delete(j.bodies, &e.body[0])
		j.bytes -= cap(e.body)
	}
	e.body = nil
}

// BodyTexts are bodies as strings, each made once.
type BodyTexts map[bodyPart]string

// A bodyPart is a body in memory, which may have a part of a longer one.
type bodyPart struct {
	first  *byte
	length int
}

// Add gives a request its whole body, if the journal keeps it.
func (t BodyTexts) Add(r *api.Request, from *Entry) {
	b := from.body
	if b == nil {
		return
	}
	part := bodyPart{&b[0], len(b)}
	if _, made := t[part]; !made {
		t[part] = string(b)
	}
	r.Answer.Body = t[part]
}
