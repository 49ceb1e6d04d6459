package serve

import (
	"net/http"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fixtures"
)

// faults has the function that answers a request with each fault. fixtures/faults.go says
// what else a new fault needs.
var faults = map[fixtures.Fault]func(*exchange){
	"":                      sendWhole,
	fixtures.FaultReset:     reset,
	fixtures.FaultClose:     closeUnanswered,
	fixtures.FaultHang:      hang,
	fixtures.FaultTruncate:  truncate,
	fixtures.FaultStall:     stall,
	fixtures.FaultBadJSON:   sendBadJSON,
	fixtures.FaultWrongType: sendWrongType,
}

// sendWhole sends the reply without a fault.
func sendWhole(x *exchange) {
	answer, isThere := x.replyAnswer()
	if !isThere {
		return
	}
	x.body = answer.Body
	x.send(&answer, x.body)
}

// reset resets the connection before any byte.
func reset(x *exchange) {
	x.complete(0)
	wire.Reset(x.writer)
}

// closeUnanswered closes the connection before any byte.
func closeUnanswered(x *exchange) {
	x.complete(0)
	abort()
}

// hang sends nothing until the client goes away.
func hang(x *exchange) {
	x.note()
	x.reason.Unsent = reason.NoAnswer{Until: x.awaitEnd()}
	closeUnanswered(x)
}

// truncate sends half of the body, and closes the connection.
func truncate(x *exchange) {
	isHalf := x.sendHalf()
	if isHalf {
		abort()
	}
}

// stall sends half of the body, and then nothing until the client goes away.
func stall(x *exchange) {
	isHalf := x.sendHalf()
	if !isHalf {
		return
	}
	x.cut(reason.StalledBody{
		Sent:  x.entry.Answer.Sent,
		Bytes: len(x.body),
		Until: x.awaitEnd(),
	})
	abort()
}

// sendBadJSON sends half of the body as if it were all of it.
func sendBadJSON(x *exchange) {
	answer, isThere := x.replyAnswer()
	if !isThere {
		return
	}
	x.body = answer.Body[:wire.Cut(answer.Body)]
	x.breakBody(answer.Status)
	x.send(&answer, x.body)
}

// wrongPage is what a proxy or a captive portal sends in place of JSON.
const wrongPage = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in</title></head>
<body><h1>Sign in</h1><p>This is a page, where a list of campaigns should be.</p></body>
</html>
`

// sendWrongType sends a page in place of JSON. A type among the headers of the reply stays.
func sendWrongType(x *exchange) {
	reply := x.arrival.Reply
	answer := reply.Answer
	if !reply.SetsHeader("Content-Type") {
		answer.Headers = answer.Headers.Clone()
		answer.Headers.Set("Content-Type", "text/html; charset=utf-8")
	}
	x.entry.Broken = x.received.Method != http.MethodHead
	x.body = []byte(wrongPage)
	x.send(&answer, x.body)
}

// replyAnswer returns the whole answer of the reply. If the list of campaigns in it is that of the
// upstream, it is fetched first. It returns false if the upstream has none: the request is answered
// then.
func (x *exchange) replyAnswer() (answer plan.Answer, isThere bool) {
	reply := x.arrival.Reply
	user := x.arrival.User
	if user.IsOfUpstream && !reply.HasOwnBody() {
		return x.fetch()
	}
	answer = reply.Answer
	answer.Body = reply.BodyFor(user, x.token)
	return answer, true
}

// breakBody notes that a fault breaks the body of an answer with a status. It returns false if that
// has none, because of HEAD or of the status.
func (x *exchange) breakBody(status int) bool {
	switch {
	case !plan.HasBody(status):
		x.reason.Unsent = reason.NothingToBreak{Status: status}
		return false
	case x.received.Method == http.MethodHead:
		x.reason.Unsent = reason.NothingToBreak{}
		return false
	}
	x.entry.Broken = true
	return true
}

// sendHalf sends half of the body, whose whole length it declares. It returns false if there is no
// body to break: the answer has been sent then.
func (x *exchange) sendHalf() bool {
	answer, isThere := x.replyAnswer()
	if !isThere {
		return false
	}
	x.body = answer.Body
	if !x.breakBody(answer.Status) {
		x.send(&answer, x.body)
		return false
	}
	half := x.body[:wire.Cut(x.body)]
	x.sendPart(&answer, half, max(len(x.body), 1)) // a client notices that a byte is missing
	http.NewResponseController(x.writer).Flush()
	return true
}
