package fake

import (
	"fmt"
	"net/http"
	"strconv"

	"example.com/campaignfake/fake/internal/wire"
)

// fault returns the fault of the answer, "" if there is none.
func (x *exchange) fault() Fault {
	if x.reply == nil {
		return ""
	}
	return x.reply.given.Fault
}

// deliver sends the answer, as its fault and its rate have it. It is the last step.
func deliver(x *exchange) bool {
	if x.reply == nil {
		body, length := x.user.answer(x.token)
		x.snapshot.success.write(x, body, length)
		return true
	}
	switch x.fault() {
	case FaultReset:
		x.complete(0, x.reason)
		wire.Reset(x.mustHijack())
	case FaultClose:
		x.complete(0, x.reason)
		x.closeConnection()
	case FaultGarbage:
		x.complete(0, x.reason)
		wire.SendGarbage(x.server.stopping, x.mustHijack())
	case FaultHang:
		x.server.state.explain(x, false)
		x.complete(0, x.reason+"; nothing was sent until "+x.awaitEnd())
		x.closeConnection()
	default:
		x.sendReply(x.replyBody())
	}
	return true
}

// replyBody returns the whole body of the reply.
func (x *exchange) replyBody() []byte {
	a := &x.reply.answer
	switch {
	case x.reply.users:
		body, _ := x.user.answer(x.token)
		return body
	case a.body == nil:
		return problem(a.status, detail(a.status))
	}
	return a.body
}

// sendReply sends the answer of the reply with a body, which its fault may break.
func (x *exchange) sendReply(body []byte) {
	fault := x.fault()
	if fault == FaultBadJSON {
		body = body[:wire.Cut(body)]
	}
	x.body = body
	x.broken = fault != ""
	switch {
	case x.r.Method == http.MethodHead && breaksBody(fault):
		x.reason += "; an answer to HEAD has no body to break"
		x.send(body, len(body))
	case x.r.Method == http.MethodHead || fault == "" || fault == FaultBadJSON || fault == FaultWrongType:
		x.send(body, len(body))
	case fault == FaultBadChunk:
		x.sendBrokenChunks(body[:wire.Cut(body)])
	default:
		x.sendPart(body[:wire.Cut(body)], len(body))
	}
}

func breaksBody(fault Fault) bool {
	return fault == FaultTruncate || fault == FaultStall || fault == FaultBadChunk || fault == FaultBadJSON
}

// sendPart sends a part of a body, and then nothing, or the end of the connection.
func (x *exchange) sendPart(part []byte, length int) {
	x.unsent = len(x.body) - len(part)
	if !x.send(part, max(length, 1)) {
		return
	}
	x.flush()
	if x.fault() == FaultStall {
		x.amend("; %d of %d bytes were sent, and then nothing until %s", len(part), length, x.awaitEnd())
	}
	x.closeConnection()
}

// send sends the answer of the reply with a body, and declares a length. It returns
// false if the answer has ended early, with the exchange: the client has gone away,
// or the server is closed.
func (x *exchange) send(body []byte, length int) bool {
	if x.reply.given.Rate > 0 {
		x.drain()
	}
	x.reply.answer.writeHeader(x, []string{strconv.Itoa(length)})
	if x.r.Method == http.MethodHead {
		return true
	}
	sent, err := x.writeBody(body)
	if err == nil {
		return true
	}
	x.endedEarly(sent, length)
	x.closeConnection()
	return false
}

// writeBody writes a body at the rate of the reply.
func (x *exchange) writeBody(body []byte) (sent int, err error) {
	if x.reply.given.Rate == 0 {
		return x.Write(body)
	}
	ctx, release := x.clientContext()
	defer release()
	return wire.PaceResponse(ctx, x, body, x.reply.given.Rate)
}

// sendBrokenChunks sends the first part of a body in chunks, and then something
// that is not a chunk. Where there are no chunks, the connection just ends.
func (x *exchange) sendBrokenChunks(part []byte) {
	if x.r.ProtoMajor != 1 || x.r.ProtoMinor == 0 || x.hijack() == nil {
		x.sendPart(part, len(part)+1)
		return
	}
	x.unsent = len(x.body) - len(part)
	a := &x.reply.answer
	a.set(x.Header())
	wire.SetChunked(x.Header())
	x.complete(a.status, x.reason)
	sent, err := wire.SendBrokenChunks(x.server.stopping, x.hijacked, a.status, x.Header(), part, x.reply.given.Rate)
	if err != nil {
		x.unsent = len(x.body) - sent
		x.amend("; %d bytes were sent before %s", sent, x.ended())
	}
}

// giveUp ends an exchange whose answer was delayed for longer than the client, or
// the server, was there.
func (x *exchange) giveUp() {
	x.reason += "; " + x.ended() + " before that"
	if x.r.ProtoMajor == 2 {
		x.complete(0, x.reason)
		panic(http.ErrAbortHandler)
	}
	if conn := x.hijack(); conn != nil {
		x.complete(0, x.reason)
		conn.Close()
		return
	}
	http.Error(x, "The request was given up while its answer was delayed.", http.StatusServiceUnavailable)
}

// detail is what a problem document says of a status that was asked for.
func detail(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "The bearer token is not valid."
	case http.StatusForbidden:
		return "The bearer token does not allow this."
	case http.StatusNotFound:
		return "There is nothing here."
	case http.StatusTooManyRequests:
		return "Too many requests were sent. Try again later."
	case http.StatusInternalServerError:
		return "The service has failed."
	case http.StatusBadGateway:
		return "A server behind the service has failed."
	case http.StatusServiceUnavailable:
		return "The service is not available at the moment."
	case http.StatusGatewayTimeout:
		return "A server behind the service has not answered in time."
	}
	return fmt.Sprintf("The service answers this request with status %d.", status)
}

// refuse sends an answer. If that has no body, a problem document is sent with detail.
func (x *exchange) refuse(a answer, detail string) {
	body := a.body
	if body == nil {
		body = problem(a.status, detail)
	}
	a.write(x, body, []string{strconv.Itoa(len(body))})
}

func (a *answer) write(x *exchange, body []byte, length []string) {
	x.body = body
	a.writeHeader(x, length)
	if x.r.Method == http.MethodHead {
		return
	}
	if sent, err := x.Write(body); err != nil {
		x.endedEarly(sent, len(body))
	}
}

func (a *answer) writeHeader(x *exchange, length []string) {
	header := x.Header()
	a.set(header)
	header["Content-Length"] = length
	x.WriteHeader(a.status)
}

// endedEarly adds to the reason that not all of a body could be sent.
func (x *exchange) endedEarly(sent, length int) {
	x.unsent = len(x.body) - sent
	x.amend("; %d of %d bytes were sent before %s", sent, length, x.ended())
}
