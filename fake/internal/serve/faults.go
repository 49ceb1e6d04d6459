package serve

import (
	"net/http"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/protocol"
)

// faults has the function that answers a request with each fault. fixtures/faults.go says
// what else a new fault needs.
var faults = map[fixtures.Fault]func(*exchange){
	"":                      sendWhole,
	fixtures.FaultReset:     reset,
	fixtures.FaultClose:     abortUnanswered,
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

// abortUnanswered closes the connection before any byte. It does not return: see abort.
func abortUnanswered(x *exchange) {
	x.complete(0)
	abort()
}

// hang sends nothing until the client goes away.
func hang(x *exchange) {
	x.note()
	x.reason.Unsent = reason.NoAnswer{Until: x.awaitEnd()}
	abortUnanswered(x)
}

// truncate sends half of the body, and closes the connection.
func truncate(x *exchange) {
	answer, isThere := x.answerToBreak()
	if !isThere {
		return
	}
	x.sendHalf(&answer)
	abort()
}

// stall sends half of the body, and then nothing until the client goes away.
func stall(x *exchange) {
	answer, isThere := x.answerToBreak()
	if !isThere {
		return
	}
	x.sendHalf(&answer)
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
	x.noteBreak(answer.Status)
	x.body = answer.Body[:wire.Cut(answer.Body)]
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
func (x *exchange) replyAnswer() (answer plan.PreparedAnswer, isThere bool) {
	reply := x.arrival.Reply
	user := x.arrival.User
	if user.IsOfUpstream && !reply.HasOwnBody() {
		return x.fetch()
	}
	answer = reply.Answer
	answer.Body = reply.BodyFor(user, x.token)
	return answer, true
}

// answerToBreak returns the whole answer of the reply, if it has a body to break. Otherwise it
// returns false: the request is answered then.
func (x *exchange) answerToBreak() (answer plan.PreparedAnswer, isThere bool) {
	answer, isThere = x.replyAnswer()
	if !isThere {
		return answer, false
	}
	x.body = answer.Body
	x.noteBreak(answer.Status)
	if !x.entry.Broken {
		x.send(&answer, x.body)
		return answer, false
	}
	return answer, true
}

// noteBreak notes that a fault breaks the body of an answer with a status, or why there is none to
// break.
func (x *exchange) noteBreak(status int) {
	switch {
	case !protocol.HasBody(status):
		x.reason.Unsent = reason.NothingToBreak{Status: status}
	case x.received.Method == http.MethodHead:
		x.reason.Unsent = reason.NothingToBreak{}
	default:
		x.entry.Broken = true
	}
}

// sendHalf sends half of the body of an answer, whose whole length it declares.
func (x *exchange) sendHalf(answer *plan.PreparedAnswer) {
	half := answer.Body[:wire.Cut(answer.Body)]
	declared := max(len(answer.Body), 1) // a client notices that a byte is missing
	x.sendPart(answer, half, declared)
	http.NewResponseController(x.writer).Flush()
}
