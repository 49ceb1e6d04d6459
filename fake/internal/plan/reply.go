package plan

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// A Reply is a fixtures.Reply, prepared for playing. It never changes once the engine has it.
type Reply struct {
	Given         fixtures.Reply // which nobody changes
	Times         int            // Always, or at least 1
	Answer        Answer
	body          body // of its own campaigns; nil if it has none
	number, count int  // as in "reply 2 of 5": of those that were given together
	Origin
}

// NewReplies prepares replies for a token that have been checked, and keeps them: those of a
// user, or replies to be enqueued.
func (p *Snapshot) NewReplies(token string, given []fixtures.Reply, origin Origin) []*Reply {
	list := make([]*Reply, len(given))
	for i := range given {
		list[i] = p.newReply(token, given[i])
		list[i].number, list[i].count, list[i].Origin = i+1, len(given), origin
	}
	return list
}

func (p *Snapshot) newReply(token string, given fixtures.Reply) *Reply {
	r := &Reply{Given: given, Times: cmp.Or(given.Times, 1), Answer: p.answerOf(given)}
	switch {
	case given.Fault == fixtures.FaultWrongType:
		r.Answer.Body = []byte(wrongPage)
		r.Answer.Headers.Set("Content-Type", "text/html; charset=utf-8")
	case given.Campaigns != nil:
		r.body = keep(p.Service, token, fixtures.User{Campaigns: given.Campaigns})
	}
	r.Answer.replace(given.Headers, true)
	isOptional := given.Response != "" && r.Answer.Status == http.StatusUnauthorized // its settings may leave it out
	if header, is := usualHeaders[r.Answer.Status]; is && !isOptional && r.Answer.Headers.Get(header.name) == "" {
		r.Answer.Headers.Set(header.name, header.value)
	}
	return r
}

// usualHeaders are those on which clients may rely with a status.
var usualHeaders = map[int]struct{ name, value string }{
	http.StatusUnauthorized:     {"WWW-Authenticate", "Bearer"},
	http.StatusMethodNotAllowed: {"Allow", Allowed},
	http.StatusTooManyRequests:  {"Retry-After", "1"},
}

// answerOf returns the answer of a reply, without the reply's headers: a response of
// the service, a body, or a status. A list of campaigns is left out.
func (p *Snapshot) answerOf(given fixtures.Reply) (a Answer) {
	success := p.Service.Success
	r := fixtures.Response{Status: cmp.Or(given.Status, success.Status), Body: given.Body}
	switch {
	case given.Response != "":
		return p.Named(given.Response, words.Detail(p.responseNamed(given.Response).Status))
	case given.Status < 300:
		a = newAnswer(r, success)
	case given.Status < 400 && given.Body == nil:
		return Answer{Status: given.Status, Headers: make(http.Header), Body: []byte{}}
	default:
		a = newAnswer(r, p.Service.Responses.Default)
	}
	switch {
	case a.Body != nil: // an answer with this status has none
	case given.Body != nil:
		a.Body = givenBody(given.Body)
	case given.Status >= 400:
		a.Body = errorBody(p.Service, nil, given.Status, words.Detail(given.Status))
	}
	return a
}

// BodyFor returns the body for a user's token: that of the reply, or the user's.
func (r *Reply) BodyFor(u *User, token string) []byte {
	text := r.Answer.Body
	if r.body != nil {
		text, _ = r.body()
	} else if text == nil {
		text, _ = u.Answer(token)
	}
	return text
}

// MayBreak reports whether one of some replies resets or closes the connection of some requests,
// but not of all.
func MayBreak(replies []*Reply) bool {
	return slices.ContainsFunc(replies, func(r *Reply) bool {
		return r.Times != fixtures.Always && breaksConnection(r.Given.Fault)
	})
}

// breaksConnection reports whether a fault ends the connection before any byte of an answer.
// Clients silently repeat a request then, if the connection was used before.
func breaksConnection(f fixtures.Fault) bool {
	return f == fixtures.FaultReset || f == fixtures.FaultClose
}

// Played describes the reply as it is played: how often it has been, from 1.
func (r *Reply) Played(nth int) string {
	text := "scripted: " + r.Given.String()
	if r.Enqueued {
		text = "enqueued: " + r.Given.String()
	}
	switch {
	case r.Times == fixtures.Always:
		text += " (always)"
	case r.Times > 1:
		text += fmt.Sprintf(" (%d of %d)", nth, r.Times)
	}
	return text
}

// What names the reply in a message.
func (r *Reply) What() string {
	what := "reply"
	if r.Enqueued {
		what = "enqueued reply"
	}
	return fmt.Sprintf("%s %d of %d (%s)", what, r.number, r.count, r.Given)
}

// wrongPage is what a proxy or a captive portal sends in place of JSON.
const wrongPage = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in</title></head>
<body><h1>Sign in</h1><p>This is a page, where a list of campaigns should be.</p></body>
</html>
`
