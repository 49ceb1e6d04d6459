package fake

import (
	"encoding/json"
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/journal"
)

// A Request is an entry of the journal: what was received, what was answered, and why. Its
// JSON is that of the control plane.
type Request struct {
	// Number counts the requests of a server from 1, in their order of arrival,
	// since the start or the last ResetAll.
	Number int

	// At is when the request arrived.
	At time.Time

	// Token is the bearer token, "" if there was no valid one.
	Token string

	// Method, Host and URL are as received; the URL is the path with the query.
	Method string
	Host   string
	URL    string

	// Header holds the request's headers.
	Header http.Header

	// Status is the status of the answer. It is 0 while there is no answer, and if none
	// came: after the faults reset, close and hang, or when the client went away first.
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
	// to the page that asked (CORS).
	Advice Advice
}

// An Answer is the part of an answer that the journal holds.
type Answer struct {
	// Header holds the headers except Date. It is nil if there is no answer.
	Header http.Header

	// Body is the start of the body, of up to 4 KiB.
	Body string

	// Bytes is the length of the whole body, even if not all of it was sent.
	Bytes int

	// Sent is how many bytes of the body were sent, or still are: less than Bytes after a
	// fault that ends the body early, or if the client went away. It is 0 for HEAD.
	Sent int
}

// Advice says what is wrong with a request that a client sent, and what to change.
type Advice struct {
	// Title names the problem in a few words. It is "" if there is none.
	Title string

	// Text explains the problem and says what to change, one paragraph on each line.
	Text string

	// Command is a shell command that sends a correct request, "" if there is none.
	Command string

	// Fixture is YAML to be written in the fixtures, "" if there is none.
	Fixture string
}

// MarshalJSON returns the request as the control plane lists it: with the names of the fields
// in lower case, and the Duration in milliseconds as duration_ms. The Answer is null if there
// is none. It fails on no request.
func (r Request) MarshalJSON() ([]byte, error) {
	return json.Marshal(journal.Request{
		Number: r.Number, At: r.At, Token: r.Token, Method: r.Method, Host: r.Host, URL: r.URL, Header: r.Header,
		Status: r.Status, Reason: r.Reason, Duration: r.Duration, Answer: journal.Answer(r.Answer),
		Unmatched: r.Unmatched, Complete: r.Complete, Broken: r.Broken, Advice: journal.Advice(r.Advice),
	})
}

// UnmarshalJSON reads what MarshalJSON returns. It fails on what is not a request.
func (r *Request) UnmarshalJSON(text []byte) error {
	var read journal.Request
	err := json.Unmarshal(text, &read)
	*r = requestOf(read)
	return err
}

// requestOf returns a request of the journal.
func requestOf(r journal.Request) Request {
	return Request{
		r.Number, r.At, r.Token, r.Method, r.Host, r.URL, r.Header,
		r.Status, r.Reason, r.Duration, Answer(r.Answer), r.Unmatched, r.Complete, r.Broken, Advice(r.Advice),
	}
}
