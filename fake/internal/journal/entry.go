package journal

import (
	"net/http"
	"time"
	"unicode/utf8"
)

// An Entry is a request, and what else the server knows of it. A copy of an entry can be
// read without the lock: what it points to never changes.
type Entry struct {
	Request        // the Number is 0 if the entry was cleared
	Near    string // a user's token of which an unknown one is probably a misspelling

	earlier int // the number of the token's request before it, or 0
	bytes   int // at most how much memory the entry takes
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

// Start returns at most so many bytes of a body, without a part of a character at their end.
func Start[T string | []byte](body T, most int) T {
	if len(body) <= most {
		return body
	}
	end := most
	for end > most-utf8.UTFMax && !utf8.RuneStart(body[end]) {
		end--
	}
	return body[:end]
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
