package serve

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures/protocol"
)

// deliver sends the campaigns of the user, a reply with or without a fault, or the answer of the
// upstream. It is the last step.
func deliver(x *exchange) bool {
	if x.arrival.IsPassedOn {
		x.passOn()
		return true
	}
	reply := x.arrival.Turn.Reply
	if reply == nil {
		x.body = x.arrival.User.Body(x.token)
		x.send(&x.arrival.Snapshot.Success)
		return true
	}
	answerWithFault := faults[reply.Fixture.Fault]
	answerWithFault(x)
	return true
}

// send sends an answer with the body of the exchange.
func (x *exchange) send(answer *plan.PreparedAnswer) {
	body := x.body.Bytes
	// HEAD gets the headers of a GET, and no body. A server of net/http drops the body, but an
	// httptest.ResponseRecorder does not.
	if x.received.Method == http.MethodHead {
		body = nil
	}
	x.beginAnswer(answer, len(x.body.Bytes), len(body))
	x.write(body)
}

// beginAnswer completes the entry in the journal, and writes the header of an answer. The argument
// length is the Content-Length, and sent is how many bytes of the body follow.
func (x *exchange) beginAnswer(answer *plan.PreparedAnswer, length, sent int) {
	x.setHeaders(answer, length)
	x.entry.Request.Answer.Sent = sent
	x.complete(answer.Status)
	x.writer.WriteHeader(answer.Status)
}

// write writes a whole body or a part of it. An error of the writer means that the client has gone
// away or that the server was closed. Then write breaks the connection.
func (x *exchange) write(body []byte) {
	if len(body) == 0 {
		return
	}
	sent, err := x.writer.Write(body)
	if err != nil {
		x.entry.Request.Answer.Sent = sent
		x.noteBroken(brokenBody(sent, len(x.body.Bytes), x.whoBrokeAnswer()))
		panic(http.ErrAbortHandler)
	}
}

// brokenBody says how many bytes of a body were sent, and what has ended the answer. The argument
// ending is a phrase such as "the client went away".
func brokenBody(sent, bytes int, ending string) string {
	return fmt.Sprintf("%d of %d bytes were sent before %s", sent, bytes, ending)
}

// setHeaders adds the headers of an answer to the CORS headers, which an earlier step has set.
func (x *exchange) setHeaders(answer *plan.PreparedAnswer, length int) {
	header := x.writer.Header()
	varyOfCORS := header["Vary"]
	plan.ExposeHeaders(header, answer.Headers)
	maps.Copy(header, answer.Headers)
	varyOfAnswer := answer.Headers["Vary"]
	if varyOfAnswer != nil {
		header["Vary"] = slices.Concat(varyOfCORS, varyOfAnswer)
	}
	// A 205 has Content-Length 0, so that the client waits for no body. A 204 has no
	// Content-Length, since HTTP forbids it. A 304 has none either: in a 304, it would be the
	// length of the body of a 200.
	hasLength := protocol.HasBody(answer.Status) || answer.Status == http.StatusResetContent
	if hasLength {
		header.Set("Content-Length", strconv.Itoa(length))
	}
}
