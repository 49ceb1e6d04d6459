package ring

import (
	"net/http"

	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/journal"
)

// An Entry is a request in the journal. A copy of an entry can be read without the lock, because
// nothing that an entry points to ever changes.
type Entry struct {
	Request journal.Request // its Number is 0 if the entry was cleared
	Reason  reason.Reason   // the parts of the sentence that the Request has

	body  []byte // the start of the answer's body, which FillBody makes a text
	bytes int    // at most how much memory the entry takes
}

// FillBody sets the body of the answer. The journal leaves that to those who read it, so that no
// body is copied while a request is answered.
func (e *Entry) FillBody() {
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

const (
	// entryBytes is the size of an entry with its reason, without texts, headers and body.
	entryBytes = 500

	// headerBytes is the size of a header without its name and its values.
	headerBytes = 100
)

// sizeOf returns at most how much memory an entry takes.
func sizeOf(e *Entry) int {
	r := &e.Request
	bytes := entryBytes + bytesOf(r.Header) + bytesOf(r.Answer.Header) + len(e.body)
	texts := []string{
		r.Token,
		r.Method,
		r.Host,
		r.URL,
		r.IgnoredQuery,
		r.Reason,
	}
	for _, text := range texts {
		bytes += len(text)
	}
	return bytes
}

// bytesOf returns at most how much memory headers take.
func bytesOf(header http.Header) (bytes int) {
	for name, values := range header {
		bytes += headerBytes + len(name)
		for _, value := range values {
			bytes += len(value)
		}
	}
	return bytes
}
