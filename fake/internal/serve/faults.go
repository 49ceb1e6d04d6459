package serve

import (
	"fmt"
	"net/http"

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
	x.Body = x.replyBody()
	x.sendReply(x.Body, len(x.Body))
}

// reset resets the connection before any byte.
func reset(x *exchange) {
	x.complete(0, x.Reason)
	wire.Reset(x.ResponseWriter)
}

// closeUnanswered closes the connection before any byte.
func closeUnanswered(x *exchange) {
	x.drain()
	x.complete(0, x.Reason)
	abort()
}

// hang sends nothing until the client goes away.
func hang(x *exchange) {
	x.handler.Note(&x.Arrival, nil)
	x.drain()
	x.complete(0, x.Reason+"; nothing was sent until "+x.awaitEnd())
	abort()
}

// truncate sends half of the body, and closes the connection.
func truncate(x *exchange) {
	body := x.replyBody()
	if x.breakBody(body) {
		x.sendPart(body[:wire.Cut(body)], len(body))
		abort()
	}
}

// stall sends half of the body, and then nothing until the client goes away.
func stall(x *exchange) {
	body := x.replyBody()
	part := body[:wire.Cut(body)]
	if x.breakBody(body) {
		x.sendPart(part, len(body))
		x.amend("; %d of %d bytes were sent, and then nothing until %s", len(part), len(body), x.awaitEnd())
		abort()
	}
}

// sendBadJSON sends half of the body as if it were all of it.
func sendBadJSON(x *exchange) {
	body := x.replyBody()
	body = body[:wire.Cut(body)]
	if x.breakBody(body) {
		x.sendReply(body, len(body))
	}
}

// sendWrongType sends the page that the reply has in place of JSON.
func sendWrongType(x *exchange) {
	x.Broken = true
	sendWhole(x)
}

// breakBody notes that a fault breaks a body. It returns false if the answer has no body,
// because of HEAD or of its status: it has been sent then.
func (x *exchange) breakBody(body []byte) bool {
	x.Body = body
	switch a := &x.reply.Answer; {
	case !a.HasBody():
		x.Reason += fmt.Sprintf("; an answer with status %d has no body to break", a.Status)
	case x.Request.Method == http.MethodHead:
		x.Broken = true
		x.Reason += "; an answer to HEAD has no body to break"
	default:
		x.Broken = true
		return true
	}
	x.sendReply(body, len(body))
	return false
}

// sendPart sends a part of a body whose whole length it declares.
func (x *exchange) sendPart(part []byte, length int) {
	x.drain()
	x.Unsent = len(x.Body) - len(part)
	x.sendReply(part, max(length, 1))
	x.flush()
}
