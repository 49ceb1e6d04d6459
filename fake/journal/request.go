// Package journal describes what a server of package fake has received, and what it has answered.
//
// A [Request] is an entry of the journal: what a client sent, the answer, the reason for it, and
// advice if the client should send something else. Server.Requests of package fake returns the
// entries. Over HTTP, GET /_fake/requests returns them as JSON. The journal holds the latest 1,000
// entries. A [Tally] counts all requests since the server was made.
//
// Requests and tallies are copies: the caller may change them.
package journal

import (
	"encoding/json"
	"math"
	"net/http"
	"time"
)

// A Request is an entry of the journal: what was received, what was answered, and why. Its JSON is
// the same as in the control plane.
type Request struct {
	// Number counts from 1 in the order of arrival, since the start or since all tokens were reset.
	Number int       `json:"number"`
	At     time.Time `json:"at"`    // when it arrived, in UTC
	Token  string    `json:"token"` // "" if the request had no readable token

	// Method, Host and URL are as received; the URL is the path with the query.
	Method string `json:"method"`
	Host   string `json:"host"`
	URL    string `json:"url"`

	// Header has the first 4 KiB of the headers.
	Header http.Header `json:"header"`

	// Status is 0 until the answer begins. Status stays 0 if no answer comes: the fault is "reset",
	// "close" or "hang", or the client goes away first.
	Status int `json:"status"`

	// Reason says why the request got this answer: its campaigns, reply, fault and delay, and how a
	// random delay was chosen. It also says if the answer waits, or never comes.
	Reason string `json:"reason"`

	// Duration is the time from the arrival to the first byte of the answer, or to the end of the
	// request if no answer came.
	Duration time.Duration `json:"duration_ms"`

	// Held is true while the answer waits for a release of the requests of the token, for example
	// by Server.Release.
	Held bool `json:"held,omitempty"`

	Answer    Answer `json:"answer,omitzero"` // what was sent
	Unmatched bool   `json:"unmatched"`       // the service has no such path or method

	// IgnoredQuery is the query of a request that matched the route, without the question mark. The
	// service ignores it, since it has no parameters. IgnoredQuery is "" if the request has no
	// query, or if the upstream may read the query.
	IgnoredQuery string `json:"ignored_query,omitempty"`

	// PassedOn is true if the request was passed on to the upstream, or to the handler of
	// WithFallback. If the upstream fails to answer, the server answers 502 or 508, and says so in
	// Reason. With an upstream, the journal masks the values of cookies in all requests and
	// answers.
	PassedOn bool `json:"passed_on,omitempty"`

	// Complete is true once the answer has begun, or once it is certain that no answer comes. After
	// that, only the rest of the body may still be sent.
	Complete bool `json:"complete"`

	// Broken is true if the client could not receive the intended answer: a fault changed or
	// ended it, or the connection ended early. Without any answer (Status 0) it is false.
	Broken bool `json:"broken"`

	// Advice says what to change if
	//   - the request matched nothing;
	//   - its Authorization header has no bearer token;
	//   - its token is a word such as undefined, or is nearly a user's token;
	//   - its token has a tilde, such as nobody~1, and no user has the token before the tilde;
	//   - the upstream refuses the token, which belongs to a user of this server;
	//   - the upstream redirects to HTTPS, past this server;
	//   - a browser hides the answer from the page that asked (CORS), or does not keep a
	//     cookie of the answer;
	//   - a query was ignored.
	Advice Advice `json:"advice,omitzero"`
}

// An Answer is the part of an answer that the journal holds.
type Answer struct {
	// Header has no Date, unless the upstream has sent it. It is nil if there is no answer.
	Header http.Header `json:"header"`

	// Body has the first 4 KiB of the body. It is "" if the request was passed on, since the body
	// may contain private data.
	Body string `json:"body"`

	// Bytes is the length of the whole body, even if not all of it was sent.
	Bytes int `json:"bytes"`

	// Sent is how many bytes of the body were sent, or are being sent: less than Bytes after a
	// fault that ends the body early, or if the client went away. It is 0 for HEAD.
	Sent int `json:"sent"`
}

// Advice says what is wrong with a request that a client sent, and what to change.
type Advice struct {
	// Title names the problem in a few words. It is "" if there is no problem.
	Title   string `json:"title"`
	Text    string `json:"text,omitempty"`    // explains the problem; each line is a paragraph
	Command string `json:"command,omitempty"` // a shell command that sends a correct request
	Fixture string `json:"fixture,omitempty"` // YAML to be written in the fixtures
}

// fields has the fields of a Request without its methods, so that encoding/json does not call
// MarshalJSON and UnmarshalJSON again.
type fields Request

// shown is the JSON of a Request, whose duration is in milliseconds.
type shown struct {
	*fields
	Duration float64 `json:"duration_ms"`
}

// MarshalJSON returns the request as the control plane lists it: with the names of the fields in
// lower case, and the Duration in milliseconds as duration_ms. It never fails.
func (r Request) MarshalJSON() ([]byte, error) {
	milliseconds := float64(r.Duration) / float64(time.Millisecond)
	return json.Marshal(shown{fields: (*fields)(&r), Duration: milliseconds})
}

// UnmarshalJSON reads what MarshalJSON returns. Fields may be missing. It fails if the JSON, or a
// field in it, has the wrong type.
func (r *Request) UnmarshalJSON(text []byte) error {
	read := shown{fields: (*fields)(r)}
	err := json.Unmarshal(text, &read)
	r.Duration = time.Duration(math.Round(read.Duration * float64(time.Millisecond)))
	return err
}
