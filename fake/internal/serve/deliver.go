package serve

import (
	"maps"
	"net/http"
	"slices"
	"strconv"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fixtures/protocol"
)

// deliver sends the normal answer, or the reply with its fault. It is the last step.
func deliver(x *exchange) bool {
	reply := x.arrival.Reply
	if x.arrival.IsPassedOn {
		x.passOn()
		return true
	}
	if reply == nil {
		x.body = x.arrival.User.Body(x.token)
		x.send(&x.arrival.Snapshot.Success, x.body)
		return true
	}
	faults[reply.Fixture.Fault](x)
	return true
}

// send sends an answer whose body is complete.
func (x *exchange) send(answer *plan.PreparedAnswer, body []byte) {
	x.sendPart(answer, body, len(body))
}

// sendPart sends an answer with a body, or with a part of one. length is the Content-Length. It
// aborts the exchange if the client went away, or the server was closed.
func (x *exchange) sendPart(answer *plan.PreparedAnswer, body []byte, length int) {
	x.setHeaders(answer, length)
	// HEAD is answered as GET is, and nothing behind the handler need take the body away.
	if x.received.Method == http.MethodHead {
		body = nil
	}
	x.entry.Answer.Sent = len(body)
	x.complete(answer.Status)
	x.writer.WriteHeader(answer.Status)
	if len(body) == 0 {
		return
	}
	sent, err := x.writer.Write(body)
	if err != nil {
		x.entry.Answer.Sent = sent
		x.cut(reason.BrokenBody{Sent: sent, Bytes: length, By: x.ending()})
		abort()
	}
}

// setHeaders sets the headers of an answer, beside those of CORS.
func (x *exchange) setHeaders(answer *plan.PreparedAnswer, length int) {
	header := x.writer.Header()
	vary := header["Vary"] // of CORS
	maps.Copy(header, answer.Headers)
	own := answer.Headers["Vary"]
	if own != nil {
		header["Vary"] = slices.Concat(vary, own)
	}
	// The client of a 205 learns from the length 0 that there is no body. HTTP forbids a length with
	// 204, and with 304 it would be that of another answer.
	hasLength := protocol.HasBody(answer.Status) || answer.Status == http.StatusResetContent
	if hasLength {
		header["Content-Length"] = []string{strconv.Itoa(length)}
	}
}
