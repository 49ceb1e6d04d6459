package journal

import (
	"encoding/json"
	"math"
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/words"
)

// A Request is an entry of the journal: what was received, what was answered, and why.
type Request struct {
	// Number counts the requests of a server from 1, in their order of arrival,
	// since the start or the last ResetAll.
	Number int `json:"number"`

	// At is when the request arrived.
	At time.Time `json:"at"`

	// Token is the bearer token, "" if there was no valid one.
	Token string `json:"token"`

	// Method, Host and URL are as received; the URL is the path with the query.
	Method string `json:"method"`
	Host   string `json:"host"`
	URL    string `json:"url"`

	// Header holds the request's headers.
	Header http.Header `json:"header"`

	// Status is the status of the answer. It is 0 while there is no answer, and if none
	// came: after the faults reset, close and hang, or when the client went away first.
	Status int `json:"status"`

	// Reason says why the request was answered like that: campaigns, scripted reply,
	// fault, delay, and random draws. It also says if the answer is delayed, or never
	// comes.
	Reason string `json:"reason"`

	// Duration is the time from the arrival to the first byte of the answer, or
	// to the end if none came.
	Duration time.Duration `json:"duration_ms"`

	// Answer is what was sent.
	Answer Answer `json:"answer"`

	// Unmatched is true if the service does not have the path or the method.
	Unmatched bool `json:"unmatched"`

	// Complete is true once the answer has begun, or it is certain that none comes.
	// Only the rest of the body may still be sent.
	Complete bool `json:"complete"`

	// Broken is true if the client could not receive the intended answer: a fault
	// changed or ended it, or the connection ended early. It is false if there was no
	// answer at all (Status 0).
	Broken bool `json:"broken"`

	// Advice says what to change if the request matched nothing, if its token is a word
	// such as undefined or nearly that of a user, or if a browser does not give the answer
	// to the page that asked (CORS).
	Advice Advice `json:"advice,omitzero"`
}

// An Answer is the part of an answer that the journal holds.
type Answer struct {
	// Header holds the headers except Date. It is nil if there is no answer.
	Header http.Header `json:"header"`

	// Body is the start of the body, of up to 4 KiB.
	Body string `json:"body"`

	// Bytes is the length of the whole body, even if not all of it was sent.
	Bytes int `json:"bytes"`

	// Sent is how many bytes of the body were sent, or still are: less than Bytes after a
	// fault that ends the body early, or if the client went away. It is 0 for HEAD.
	Sent int `json:"sent"`
}

// Advice says what is wrong with a request that a client sent, and what to change.
type Advice struct {
	// Title names the problem in a few words. It is "" if there is none.
	Title string `json:"title"`

	// Text explains the problem and says what to change, one paragraph on each line.
	Text string `json:"text,omitempty"`

	// Command is a shell command that sends a correct request, "" if there is none.
	Command string `json:"command,omitempty"`

	// Fixture is YAML to be written in the fixtures, "" if there is none.
	Fixture string `json:"fixture,omitempty"`
}

// fields are those of a Request, without its methods.
type fields Request

// shown is the JSON of a Request, whose duration is in milliseconds.
type shown struct {
	*fields
	Brief    bool    `json:"brief"` // without headers and bodies
	Duration float64 `json:"duration_ms"`
}

// MarshalJSON returns the request as the control plane lists it: with the names of
// the fields in lower case, and the duration in milliseconds as duration_ms.
func (r Request) MarshalJSON() ([]byte, error) {
	return json.Marshal(shown{(*fields)(&r), false, words.InMilliseconds(r.Duration)})
}

// UnmarshalJSON reads what MarshalJSON returns.
func (r *Request) UnmarshalJSON(text []byte) error {
	read := shown{fields: (*fields)(r)}
	err := json.Unmarshal(text, &read)
	r.Duration = time.Duration(math.Round(read.Duration * float64(time.Millisecond)))
	return err
}

// Brief returns the JSON of the request without headers and bodies, and with only the title
// of its advice.
func (r Request) Brief() any {
	r.Method, r.URL, r.Advice = words.Shorten(r.Method), words.Shorten(r.URL), Advice{Title: r.Advice.Title}
	type none struct{} // of which nothing is shown, in place of the field with its name
	return struct {
		shown
		Host   none `json:"host,omitzero"`
		Header none `json:"header,omitzero"`
		Answer none `json:"answer,omitzero"`
	}{shown: shown{(*fields)(&r), true, words.InMilliseconds(r.Duration)}}
}

// MarshalJSON returns null if there is no answer.
func (a Answer) MarshalJSON() ([]byte, error) {
	if a.Header == nil {
		return []byte("null"), nil
	}
	type fields Answer
	return json.Marshal(fields(a))
}
