package serve

import (
	"errors"
	"fmt"
	"net/http"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/protocol"
)

// faults has, for each fault, the function that answers a request with this fault.
// fixtures/faults.go says what else a new fault needs.
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
	answer := x.replyAnswer()
	x.body = answer.Body
	x.send(&answer)
}

// reset resets the connection before any byte of the answer is sent.
func reset(x *exchange) {
	x.complete(0)
	err := wire.Reset(x.writer)
	if err == nil {
		return
	}
	isOfHTTP2 := x.received.ProtoMajor == 2 // over HTTP/2, the panic resets the stream
	if !isOfHTTP2 {
		x.tellUndelivered("cannot be hijacked, so the connection is closed, and not reset")
	}
	panic(http.ErrAbortHandler)
}

// closeUnanswered closes the connection before any byte of the answer is sent.
func closeUnanswered(x *exchange) {
	x.complete(0)
	panic(http.ErrAbortHandler)
}

// hang sends nothing until the client goes away, or the server is closed.
func hang(x *exchange) {
	x.note()
	end := x.awaitEnd()
	x.reason.ending = "nothing was sent until " + end
	closeUnanswered(x)
}

// truncate sends half of the body, and closes the connection.
func truncate(x *exchange) {
	answer, canBreak := x.answerToBreak()
	if !canBreak {
		return
	}
	x.sendHalf(&answer)
	panic(http.ErrAbortHandler)
}

// stall sends half of the body, and then nothing until the client goes away, or the server is
// closed.
func stall(x *exchange) {
	answer, canBreak := x.answerToBreak()
	if !canBreak {
		return
	}
	x.sendHalf(&answer)
	end := x.awaitEnd()
	x.noteBroken(fmt.Sprintf("%d of %d bytes were sent, and then nothing until %s",
		x.entry.Request.Answer.Sent, len(x.body.Bytes), end))
	panic(http.ErrAbortHandler)
}

// sendBadJSON sends half of the body, with the Content-Length of the half, as if it were the whole
// body.
func sendBadJSON(x *exchange) {
	answer := x.replyAnswer()
	x.noteBreak(answer.Status)
	x.body = plan.NewBody(firstHalf(answer.Body.Bytes))
	x.send(&answer)
}

// wrongPage is what a proxy or a captive portal sends in place of JSON.
const wrongPage = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in</title></head>
<body><h1>Sign in</h1><p>This is a page, where a list of campaigns should be.</p></body>
</html>
`

// sendWrongType sends a page in place of JSON. The Content-Type is text/html, unless the reply sets
// another.
func sendWrongType(x *exchange) {
	x.entry.Request.Broken = x.received.Method != http.MethodHead
	x.body = plan.NewBody([]byte(wrongPage))
	x.send(&x.arrival.Turn.Reply.Answer)
}

// replyAnswer returns the whole answer of the reply.
func (x *exchange) replyAnswer() plan.PreparedAnswer {
	reply := x.arrival.Turn.Reply
	answer := reply.Answer
	answer.Body = reply.BodyFor(x.arrival.User, x.token)
	return answer
}

// answerToBreak returns the whole answer of the reply, for a fault that then breaks the body of
// this answer. If there is no body to break, answerToBreak sends the answer unbroken, and canBreak
// is false.
func (x *exchange) answerToBreak() (answer plan.PreparedAnswer, canBreak bool) {
	answer = x.replyAnswer()
	x.body = answer.Body
	x.noteBreak(answer.Status)
	if !x.entry.Request.Broken {
		x.send(&answer)
		return answer, false
	}
	return answer, true
}

// noteBreak notes that a fault breaks the body of the answer, or why the answer has no body.
func (x *exchange) noteBreak(status int) {
	switch {
	case !protocol.HasBody(status):
		x.reason.ending = fmt.Sprintf("an answer with status %d has no body to break", status)
	case x.received.Method == http.MethodHead:
		x.reason.ending = "an answer to HEAD has no body to break"
	default:
		x.entry.Request.Broken = true
	}
}

// sendHalf sends the first half of the body of an answer. The Content-Length counts the whole body,
// so that the client notices that bytes are missing. If the writer cannot flush, sendHalf sends
// nothing, and closes the connection.
func (x *exchange) sendHalf(answer *plan.PreparedAnswer) {
	length := max(len(answer.Body.Bytes), 1) // so that a byte of an empty body is missing, too
	half := firstHalf(answer.Body.Bytes)
	x.beginAnswer(answer, length, len(half))
	controller := http.NewResponseController(x.writer)
	err := controller.Flush()
	if errors.Is(err, http.ErrNotSupported) {
		// The header is not flushed, so net/http drops the header when the handler panics.
		x.entry.Request.Status = 0
		x.entry.Request.Answer.Sent = 0
		x.entry.Request.Broken = false
		x.tellUndelivered("cannot be flushed, so the connection is closed, and nothing is sent")
		panic(http.ErrAbortHandler)
	}
	x.write(half)
	controller.Flush()
}

// tellUndelivered reports that the http.ResponseWriter cannot deliver a fault. The argument happens
// continues the sentence "The http.ResponseWriter …": it says what the writer cannot do, and what
// happens instead.
func (x *exchange) tellUndelivered(happens string) {
	fault := x.arrival.Turn.Reply.Fixture.Fault
	x.isWarning = true
	x.reason.ending = "not delivered, since the http.ResponseWriter " + happens
	x.note()
	const message = "campaignfake: the fault %s cannot be delivered:\n" +
		"\t%s\n" +
		"The http.ResponseWriter %s.\n" +
		"If it is a wrapper, give it a method Unwrap. " +
		"A recorder and http.TimeoutHandler never deliver this fault: " +
		"do without them, or make the server with fake.WithLenient()."
	x.test().Fail(message, fault, advice.Describe(x.received), happens)
}

// firstHalf returns the first half of a body. It ends between two characters.
func firstHalf(body []byte) []byte {
	return body[:wire.Cut(body)]
}
