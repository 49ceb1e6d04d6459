package ring

import (
	"net/http"

	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/journal"
)

// An Entry is a request in the journal. A copy of an entry can be read without the engine's lock,
// because nothing that an entry points to ever changes.
type Entry struct {
	Request    journal.Request // Number is 0 after the entry was cleared
	Finding    reason.Finding  // what is wrong with the request; nil if nothing is wrong
	IsOfNobody bool            // asks for campaigns with an unknown token or without a token

	// The method Fill copies the fields received, sent and body to the Request. Only a reader of
	// the journal calls Fill, so that answering a request takes less time.
	received, sent []field // the headers of the request and of the answer
	body           []byte  // the start of the answer's body
}

// Fill gives the request its headers, and the start of the body of its answer.
func (e *Entry) Fill() {
	e.Request.Header = headerOf(e.received)
	e.Request.Answer.Header = headerOf(e.sent)
	e.Request.Answer.Body = string(e.body)
}

// urlOf returns the path and the query of a request. They are as the client sent them if net/http
// has read the request from a connection.
func urlOf(r *http.Request) string {
	isReadFromConnection := r.RequestURI != ""
	isSentToProxy := r.URL.IsAbs()
	if !isReadFromConnection || isSentToProxy {
		return r.URL.RequestURI()
	}
	return r.RequestURI
}
