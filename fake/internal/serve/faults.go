package serve

import (
	"fmt"
	"net/http"
	"strconv"

	"example.com/campaignfake/fake/internal/plan"
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
	x.Body = x.Reply.BodyFor(x.User, x.Token)
	x.send(&x.Reply.Answer, x.Body, nil)
}

// reset resets the connection before any byte.
func reset(x *exchange) {
	x.complete(0)
	wire.Reset(x.ResponseWriter)
}

// closeUnanswered closes the connection before any byte.
func closeUnanswered(x *exchange) {
	x.complete(0)
	abort()
}

// hang sends nothing until the client goes away.
func hang(x *exchange) {
	x.handler.Note(&x.Arrival)
	x.Reason += "; nothing was sent until " + x.awaitEnd()
	closeUnanswered(x)
}

// truncate sends half of the body, and closes the connection.
func truncate(x *exchange) {
	if x.sendHalf() {
		abort()
	}
}

// stall sends half of the body, and then nothing until the client goes away.
func stall(x *exchange) {
	if x.sendHalf() {
		x.amend("; %d of %d bytes were sent, and then nothing until %s", x.Answer.Sent, len(x.Body), x.awaitEnd())
		abort()
	}
}

// sendBadJSON sends half of the body as if it were all of it.
func sendBadJSON(x *exchange) {
	body := x.Reply.BodyFor(x.User, x.Token)
	x.Body = body[:wire.Cut(body)]
	x.breakBody()
	x.send(&x.Reply.Answer, x.Body, nil)
}

// sendWrongType sends the page that the reply has in place of JSON.
func sendWrongType(x *exchange) {
	x.Broken = x.Method != http.MethodHead
	sendWhole(x)
}

// breakBody notes that a fault breaks the body. It returns false if the answer has none, because of
// HEAD or of its status.
func (x *exchange) breakBody() bool {
	switch status := x.Reply.Answer.Status; {
	case !plan.HasBody(status):
		x.Reason += fmt.Sprintf("; an answer with status %d has no body to break", status)
	case x.Method == http.MethodHead:
		x.Reason += "; an answer to HEAD has no body to break"
	default:
		x.Broken = true
	}
	return x.Broken
}

// sendHalf sends half of the body, whose whole length it declares. It returns false if there is no
// body to break: the answer has been sent then.
func (x *exchange) sendHalf() bool {
	x.Body = x.Reply.BodyFor(x.User, x.Token)
	if !x.breakBody() {
		x.send(&x.Reply.Answer, x.Body, nil)
		return false
	}
	x.send(&x.Reply.Answer, x.Body[:wire.Cut(x.Body)], []string{strconv.Itoa(max(len(x.Body), 1))})
	http.NewResponseController(x.ResponseWriter).Flush()
	return true
}
