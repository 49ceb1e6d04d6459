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

	// Token is the bearer token, "" if there was none that could be read.
	Token string

	// Method, Host and URL are as they were received; the URL is the path with
	// the query.
	Method, Host, URL string

	// Header holds the request's headers.
	Header http.Header

	// Status is what was answered, 0 while there is no answer, and where none
	// came: after the faults reset, close, hang and garbage, or when the client
	// went away before.
	Status int

	// Reason says in words why that was the answer: which campaigns, which
	// scripted reply, which fault, which delay, and what was drawn. While an
	// answer is delayed, or never comes, it says so.
	Reason string

	// Duration is the time from the arrival to the first byte of the answer, or
	// to the end if none came.
	Duration time.Duration

	// Answer is what was sent.
	Answer Answer

	// Unmatched marks a request for another path or with another method than
	// the service has.
	Unmatched bool

	// Complete tells that nothing is to come any more but the rest of the body:
	// there is an answer, or it is certain that there will be none.
	Complete bool

	// Broken tells that the client could not get the answer as a whole: a fault
	// changed it or broke it off, or the connection ended early. It is false if
	// there was no answer at all, which has the Status 0.
	Broken bool

	// Advice says what to change if the request matched nothing, if its token is
	// a word such as undefined, or if a browser does not give the answer to the
	// page that asked for it (CORS). A browser's preflight that was allowed has
	// advice until the request that it was for is in the journal.
	Advice Advice
}

// An Answer is what the journal keeps of an answer.
type Answer struct {
	// Header holds the headers, save Date, nil if there is no answer.
	Header http.Header

	// Body is the start of the body: its first 256 bytes.
	Body string

	// Bytes is the length of the whole body, even if a fault cut it short.
	Bytes int
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
}

// answerJSON is an Answer in JSON.
type answerJSON struct {
	Header http.Header `json:"header"`
	Body   string      `json:"body"`
	Bytes  int         `json:"bytes"`
}

// MarshalJSON returns the request as the control plane lists it: under the names
// of its fields, in lower case, with the duration in milliseconds as duration_ms.
func (r Request) MarshalJSON() ([]byte, error) {
	var answer *answerJSON
	if r.Answer.Header != nil {
		answer = (*answerJSON)(&r.Answer)
	}
	return json.Marshal(requestJSON{
		r.Number, r.At, r.Token, r.Method, r.Host, r.URL, r.Header, r.Status, r.Reason, inMilliseconds(r.Duration), answer, r.Unmatched,
		r.Complete, r.Broken, r.Advice,
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
		read.Complete, read.Broken, read.Advice,
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

func withToken(token string) string {
	if token == "" {
		return "without a token"
	}
	return fmt.Sprintf("with token %q", token)
}

func ofToken(token string) string {
	if token == "" {
		return "without a token"
	}
	return fmt.Sprintf("of token %q", token)
}

// counted says how many there are of something.
func counted(count int, one string) string {
	if count == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", count, one)
}

func inMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
