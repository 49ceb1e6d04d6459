package fake

import (
	"encoding/json"
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/api"
)

// A Request is an entry of the journal: what was received, what was answered,
// and why.
type Request struct {
	// Number counts the requests of a server from 1, in their order of arrival,
	// since the start or the last ResetAll.
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
	// none came: after the faults reset, close and hang, or when the client
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
}

// An Answer is the part of an answer that the journal holds.
type Answer struct {
	// Header holds the headers except Date. It is nil if there is no answer.
	Header http.Header

	// Body is the body. It is whole as far as the journal's 8 MiB hold it, in which equal
	// bodies of a token count once. Else, when there were too many other bodies later, it is the
	// start, of up to 256 bytes.
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

// MarshalJSON returns the request as the control plane lists it: with the names of
// the fields in lower case, and the duration in milliseconds as duration_ms.
func (r Request) MarshalJSON() ([]byte, error) { return json.Marshal(r.listed()) }

// UnmarshalJSON reads what MarshalJSON returns.
func (r *Request) UnmarshalJSON(text []byte) error {
	var read api.Request
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	*r = newRequest(&read)
	return nil
}

// newRequest returns a request of the journal as tests see it.
func newRequest(r *api.Request) Request {
	var answer Answer
	if r.Answer != nil {
		answer = Answer(*r.Answer)
	}
	return Request{
		Number: r.Number, At: r.At, Token: r.Token, Method: r.Method, Host: r.Host, URL: r.URL, Header: r.Header,
		Status: r.Status, Reason: r.Reason, Duration: time.Duration(r.Duration), Answer: answer,
		Unmatched: r.Unmatched, Complete: r.Complete, Broken: r.Broken, Advice: Advice(r.Advice), Preflight: r.Preflight,
	}
}

func newRequests(list []api.Request) []Request {
	requests := make([]Request, len(list))
	for i := range list {
		requests[i] = newRequest(&list[i])
	}
	return requests
}

// listed returns the request as the control plane lists it.
func (r Request) listed() *api.Request {
	var answer *api.Answer
	if r.Answer.Header != nil {
		answer = (*api.Answer)(&r.Answer)
	}
	return &api.Request{
		Number: r.Number, At: r.At, Token: r.Token, Method: r.Method, Host: r.Host, URL: r.URL, Header: r.Header,
		Status: r.Status, Reason: r.Reason, Duration: api.Milliseconds(r.Duration), Answer: answer,
		Unmatched: r.Unmatched, Complete: r.Complete, Broken: r.Broken, Advice: api.Advice(r.Advice), Preflight: r.Preflight,
	}
}
