package fake

import (
	"cmp"
	"fmt"
	"net/http"
)

// A reply is a Reply, prepared for playing. It never changes.
type reply struct {
	given  Reply // which nobody changes
	times  int   // Always, or at least 1
	answer answer
	users  bool // the body is the user's: that of the normal answer

	number, of int  // as in "reply 2 of 5": of those that were given together
	enqueued   bool // it was given by Enqueue, not with the user
	required   bool // enqueued in Go: a strict test fails if it is not played
	size       int  // bytes that count towards Limits.Kept if it came over HTTP, else 0
}

// newReply prepares a reply that has been checked, and keeps it.
func (p *snapshot) newReply(given Reply) (*reply, error) {
	r := &reply{given: given, times: cmp.Or(given.Times, 1)}
	var err error
	if r.answer, err = p.answerOf(given); err != nil {
		return nil, err
	}
	r.users = given.Response == "" && given.Body == nil && given.Status < 300 && given.Campaigns == nil
	if given.Fault == "wrong_type" {
		r.users = false
		r.answer.body = []byte(wrongPage)
		r.answer.headers.Set("Content-Type", "text/html; charset=utf-8")
	}
	for name, value := range given.Headers {
		r.answer.headers.Set(name, value)
	}
	// Clients may rely on a header that belongs to one of these statuses.
	switch r.answer.status {
	case http.StatusUnauthorized:
		if given.Response == "" { // the settings of a response may leave it out
			r.answer.defaultHeader("WWW-Authenticate", "Bearer")
		}
	case http.StatusMethodNotAllowed:
		r.answer.defaultHeader("Allow", allowed)
	case http.StatusTooManyRequests:
		r.answer.defaultHeader("Retry-After", "1")
	}
	return r, nil
}

// answerOf returns the answer of a reply, without the reply's headers: a response of
// the service, a body, a status, or campaigns. The body of a normal answer is left
// out.
func (p *snapshot) answerOf(given Reply) (answer, error) {
	switch {
	case given.Response != "":
		return p.named(given.Response), nil
	case given.Status >= 300:
		a := newAnswer(Response{Status: given.Status, Body: given.Body}, "application/problem+json")
		if given.Body == nil && given.Status < 400 {
			a.body = []byte{}
			delete(a.headers, "Content-Type")
		}
		return a, nil
	}
	success := p.service.Success
	success.Status = cmp.Or(given.Status, success.Status)
	success.Body = given.Body
	a := newAnswer(success, "application/json")
	var err error
	if given.Campaigns != nil {
		a.body, err = p.service.AppendJSON(nil, "", User{Campaigns: given.Campaigns})
	}
	return a, err
}

// newReplies prepares the replies of a user, or replies to be enqueued.
func (p *snapshot) newReplies(given []Reply, enqueued bool) ([]*reply, error) {
	list := make([]*reply, len(given))
	for i := range given {
		r, err := p.newReply(given[i])
		if err != nil {
			return nil, fmt.Errorf("replies[%d]: %w", i, err)
		}
		r.number, r.of, r.enqueued = i+1, len(given), enqueued
		list[i] = r
	}
	return list, nil
}

// mayBreak reports whether the reply resets or closes the connection of some
// requests, but not of all.
func (r *reply) mayBreak() bool {
	return r.times != Always && (r.given.Fault == FaultReset || r.given.Fault == FaultClose)
}

// played describes the reply as it is played: the time, from 1, and the round of a
// script that repeats, from 0.
func (r *reply) played(how string, time, round int) string {
	text := fmt.Sprintf("%s: %s", how, r.given)
	switch {
	case r.times == Always:
		return text + " (always)"
	case r.times > 1 && round > 0:
		return fmt.Sprintf("%s (%d of %d, round %d)", text, time, r.times, round+1)
	case r.times > 1:
		return fmt.Sprintf("%s (%d of %d)", text, time, r.times)
	case round > 0:
		return fmt.Sprintf("%s (round %d)", text, round+1)
	}
	return text
}

// what names the reply in a message.
func (r *reply) what() string {
	what := "reply"
	if r.enqueued {
		what = "enqueued reply"
	}
	return fmt.Sprintf("%s %d of %d (%s)", what, r.number, r.of, r.given)
}

// wrongPage is what a proxy or a captive portal sends in place of JSON.
const wrongPage = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in</title></head>
<body><h1>Sign in</h1><p>This is a page, where a list of campaigns should be.</p></body>
</html>
`
