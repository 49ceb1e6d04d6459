package journal

import (
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/api"
)

// An Entry is a request and its answer. A copy of an entry can be read without the lock:
// what it points to never changes.
type Entry struct {
	Number            int // 0 if the entry was cleared
	At                time.Time
	Token             string
	Unmatched         bool
	Former            bool // its token has started anew since
	Method, Host, URL string
	Header            http.Header
	Preflight         int  // the number of the request's preflight; 0 if there is none
	Followed          bool // of a preflight: a request that it asked for has arrived

	Answered
	sent   http.Header // of the answer; nil if there is none
	start  string      // of the body
	length int         // of the whole body
	body   []byte      // the whole body; nil if the start is all of it, or if it is not kept

	earlier int // the number of the token's request before it, or 0
	bytes   int // at most how much memory the entry takes, without its whole body
}

// Answered is the part of an entry that is known once there is an answer.
type Answered struct {
	Done     bool
	Broken   bool // a fault changed the answer, or it ended early
	Status   int
	Reason   string
	Duration time.Duration
	Unsent   int    // how many bytes of the body could not be sent
	Near     string // a user's token of which an unknown one is probably a misspelling
}

// Request returns an entry as the control plane lists it, with the start of the body.
func (e *Entry) Request() api.Request {
	r := api.Request{
		Number: e.Number, At: e.At, Token: e.Token, Unmatched: e.Unmatched,
		Method: e.Method, Host: e.Host, URL: e.URL, Header: e.Header.Clone(),
		Status: e.Status, Reason: e.Reason, Duration: api.Milliseconds(e.Duration), Complete: e.Done, Near: e.Near,
		Preflight: e.Preflight, Followed: e.Followed, Former: e.Former,
	}
	hasBody := r.Method != http.MethodHead
	r.Broken = e.Broken && hasBody
	if e.sent != nil {
		r.Answer = &api.Answer{Header: e.sent.Clone(), Body: e.start, Bytes: e.length}
		if hasBody {
			r.Answer.Sent = e.length - e.Unsent
		}
	}
	return r
}

// urlOf returns the path and the query of a request, as they were sent if possible.
func urlOf(r *http.Request) string {
	if r.RequestURI == "" || r.URL.IsAbs() { // it was not read from a connection, or it was sent to a proxy
		return r.URL.RequestURI()
	}
	return r.RequestURI
}

const (
	// entryBytes is the size of an entry without its texts, headers and body.
	entryBytes = 400

	// headerBytes is the size of a header without its name and its values.
	headerBytes = 100
)

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
