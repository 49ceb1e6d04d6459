package fake

import "bytes"

// A keptBody is the body of an answer that is longer than what each entry has of it.
// The journal keeps it once for all requests of a token that were answered with it. It
// is not copied: bodies never change. It counts with its capacity, since one that was
// cut off keeps the whole in memory.
type keptBody struct {
	text    []byte
	entries int // that have the body; state.mu must be held
}

// A bodyKey is where the journal looks for a body that it keeps already.
type bodyKey struct {
	token  string
	length int
}

// keep has an entry keep the body of its answer, unless that is larger than the
// journal.
func (j *journal) keep(e *entry, body []byte) {
	if len(body) <= answerBytes || cap(body) > j.most {
		return
	}
	key := bodyKey{e.token, len(body)}
	b := j.bodies[key]
	if b == nil || !bytes.Equal(b.text, body) { // which does not compare a body with itself
		b = &keptBody{text: body}
		j.bodies[key] = b
		j.bytes += cap(body)
	}
	b.entries++
	e.body = b
	j.firstBody = min(j.firstBody, e.number)
}

// dropBody has an entry keep no more than the start of its body.
func (j *journal) dropBody(e *entry) {
	b := e.body
	if b == nil {
		return
	}
	e.body = nil
	if b.entries--; b.entries > 0 {
		return
	}
	j.bytes -= cap(b.text)
	if key := (bodyKey{e.token, len(b.text)}); j.bodies[key] == b {
		delete(j.bodies, key)
	}
}

// dropBodies drops bodies, those of the oldest requests first, while there are too
// many bytes.
func (j *journal) dropBodies() {
	j.firstBody = max(j.firstBody, j.first)
	for ; j.bytes > j.most && j.firstBody <= j.arrived; j.firstBody++ {
		if e := j.at(j.firstBody); e != nil {
			j.dropBody(e)
		}
	}
}

// bodyTexts are bodies as strings, each made once.
type bodyTexts map[*keptBody]string

// add gives a request its whole body, if the journal keeps it.
func (t bodyTexts) add(r *Request, from *entry) {
	b := from.body
	if b == nil {
		return
	}
	if _, made := t[b]; !made {
		t[b] = string(b.text)
	}
	r.Answer.Body = t[b]
}
