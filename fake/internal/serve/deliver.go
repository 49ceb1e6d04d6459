package serve

import (
	"net/http"
	"strconv"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
)

// deliver sends the normal answer, or the reply with its fault. It is the last step.
func deliver(x *exchange) bool {
	if x.reply == nil {
		body, length := x.User.Answer(x.Token)
		x.Body = body
		x.send(&x.Snapshot.Success, body, length)
		return true
	}
	faults[x.reply.Given.Fault](x)
	return true
}

// replyBody returns the whole body of the reply.
func (x *exchange) replyBody() []byte {
	return x.reply.BodyFor(x.User, x.Token, words.Detail(x.reply.Answer.Status))
}

// sendReply sends the reply with a body, as send does, and declares a length.
func (x *exchange) sendReply(body []byte, length int) {
	x.send(&x.reply.Answer, body, []string{strconv.Itoa(length)})
}

// send sends an answer with a body, or with a part of x.Body. length is the value of
// Content-Length, which is prepared for the normal answer. send aborts the exchange if the
// client went away, or the server was closed.
func (x *exchange) send(a *plan.Answer, body []byte, length []string) {
	x.writeHeader(a, length)
	if x.Request.Method == http.MethodHead || len(body) == 0 {
		return
	}
	if sent, err := x.Write(body); err != nil {
		x.Unsent = len(x.Body) - sent
		x.amend("; %d of %s bytes were sent before %s", sent, length[0], x.whyEnded())
		abort()
	}
}

// giveUp ends an exchange whose client went away, or whose server was closed, while the
// answer was delayed. Where there is no connection to close, as with a recorder, it answers.
func (x *exchange) giveUp() {
	x.Reason += "; " + x.whyEnded() + " before that"
	if x.Request.Context().Value(http.ServerContextKey) != nil {
		x.complete(0, x.Reason)
		abort()
	}
	http.Error(x, "The request was given up while its answer was delayed.", http.StatusServiceUnavailable)
}

// refuse sends an answer without campaigns, whose body may have the detail in it.
func (x *exchange) refuse(a plan.Answer, detail string) {
	x.Body = a.BodyWith(detail)
	x.send(&a, x.Body, []string{strconv.Itoa(len(x.Body))})
}

// writeHeader sends the status and the headers of an answer.
func (x *exchange) writeHeader(a *plan.Answer, length []string) {
	header := x.Header()
	a.Set(header)
	if a.Status != http.StatusNoContent && a.Status != http.StatusNotModified {
		header["Content-Length"] = length
	}
	x.WriteHeader(a.Status)
}
