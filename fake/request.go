package fake

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"time"
)

// A Request is an entry of the journal: what was received, what was answered,
// and why.
type Request struct {
	// Number counts the requests of a server from 1, in their order of arrival,
	// since the start or the last Reset.
	Number int

	// At is when the request arrived.
	At time.Time

	// Token is the bearer token, "" if there was no valid one.
	Token string

	// Method, Host and URL are as received; the URL is the path with the query.
	Method, Host, URL string

	// Header holds the request's headers.
	Header http.Header

	// Status is the status of the answer. It is 0 while there is no answer, and if
	// none came: after the faults reset, close, hang and garbage, or when the client
	// went away first.
	Status int

	// Reason says why the request was answered like that: campaigns, scripted reply,
	// fault, delay, and random draws. It also says if the answer is delayed, or never
	// comes.
	Reason string

	// Duration is the time from the arrival to the first byte of the answer, or
	// to the end if none came.
	Duration time.Duration

	// Answer is what was sent.
	Answer Answer

	// Unmatched is true if the service does not have the path or the method.
	Unmatched bool

	// Complete is true once the answer has begun, or it is certain that none comes.
	// Only the rest of the body may still be sent.
	Complete bool

	// Broken is true if the client could not receive the intended answer: a fault
	// changed or ended it, or the connection ended early. It is false if there was no
	// answer at all (Status 0).
	Broken bool

	// Advice says what to change if the request matched nothing, if its token is a word
	// such as undefined or nearly that of a user, or if a browser does not give the answer
	// to the page that asked (CORS). An allowed preflight has advice until its request
	// arrives.
	Advice Advice

	// Preflight is the number of the allowed preflight with which a browser asked whether
	// it may send this request, 0 if there is none in the journal.
	Preflight int

	near string // a user's token of which an unknown one is probably a misspelling
}

// An Answer is the part of an answer that the journal holds.
type Answer struct {
	// Header holds the headers except Date. It is nil if there is no answer.
	Header http.Header

	// Body is the body. It is whole as far as the journal's 8 MiB hold it, in which equal
	// bodies of a token count once. Else it is the start, of up to 256 bytes: in what
	// Follow passes on, and when there were too many other bodies later.
	Body string

	// Bytes is the length of the whole body, even if not all of it was sent.
	Bytes int

	// Sent is how many bytes of the body were sent, or still are: less than Bytes after a
	// fault that ends the body early, or if the client went away. It is 0 for HEAD.
	Sent int
}

// requestJSON is a Request in JSON.
type requestJSON struct {
	Number    int         `json:"number"`
	At        time.Time   `json:"at"`
	Token     string      `json:"token"`
	Method    string      `json:"method"`
	Host      string      `json:"host"`
	URL       string      `json:"url"`
	Header    http.Header `json:"header"`
	Status    int         `json:"status"`
	Reason    string      `json:"reason"`
	Duration  float64     `json:"duration_ms"`
	Answer    *answerJSON `json:"answer"` // null if there is none
	Unmatched bool        `json:"unmatched"`
	Complete  bool        `json:"complete"`
	Broken    bool        `json:"broken"`
	Advice    Advice      `json:"advice,omitzero"`
	Preflight int         `json:"preflight,omitzero"`
}

// answerJSON is an Answer in JSON.
type answerJSON struct {
	Header http.Header `json:"header"`
	Body   string      `json:"body"`
	Bytes  int         `json:"bytes"`
	Sent   int         `json:"sent"`
}

// MarshalJSON returns the request as the control plane lists it: with the names of
// the fields in lower case, and the duration in milliseconds as duration_ms.
func (r Request) MarshalJSON() ([]byte, error) {
	var answer *answerJSON
	if r.Answer.Header != nil {
		answer = (*answerJSON)(&r.Answer)
	}
	return json.Marshal(requestJSON{
		r.Number, r.At, r.Token, r.Method, r.Host, r.URL, r.Header, r.Status, r.Reason, inMilliseconds(r.Duration), answer, r.Unmatched,
		r.Complete, r.Broken, r.Advice, r.Preflight,
	})
}

// UnmarshalJSON reads what MarshalJSON returns.
func (r *Request) UnmarshalJSON(text []byte) error {
	var read requestJSON
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	var answer Answer
	if read.Answer != nil {
		answer = Answer(*read.Answer)
	}
	*r = Request{
		read.Number, read.At, read.Token, read.Method, read.Host, read.URL, read.Header, read.Status, read.Reason,
		time.Duration(math.Round(read.Duration * float64(time.Millisecond))), answer, read.Unmatched,
		read.Complete, read.Broken, read.Advice, read.Preflight, "",
	}
	return nil
}

// line describes a request and its answer in one line.
func (r Request) line() string {
	answer := "no answer yet"
	switch {
	case r.Status != 0:
		answer = fmt.Sprintf("%d, %s", r.Status, r.Reason)
	case r.Reason != "":
		answer = r.Reason
	}
	return fmt.Sprintf("%d. %s %s %s: %s", r.Number, r.Method, r.URL, withToken(r.Token), answer)
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
