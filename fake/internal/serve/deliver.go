package serve

import (
	"maps"
	"net/http"
	"slices"
	"strconv"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// deliver sends the normal answer, or the reply with its fault. It is the last step.
func deliver(x *exchange) bool {
	if x.Reply != nil {
		faults[x.Reply.Given.Fault](x)
		return true
	}
	var length []string
	x.Body, length = x.User.Answer(x.Token)
	x.send(&x.Snapshot.Success, x.Body, length)
	return true
}

// refuse sends an answer of the service without campaigns, whose body may have the detail in it.
// It returns true, so that a step can end with it.
func (x *exchange) refuse(name fixtures.ResponseName, detail string) bool {
	a := x.Snapshot.Named(name, detail)
	x.Body = a.Body
	x.send(&a, x.Body, nil)
	return true
}

// send sends an answer with a body, or with a part of x.Body. length is the value of Content-Length,
// which is prepared for the normal answer, and nil if it is that of the body. send aborts the
// exchange if the client went away, or the server was closed.
func (x *exchange) send(a *plan.Answer, body []byte, length []string) {
	if length == nil {
		length = []string{strconv.Itoa(len(body))}
	}
	header := x.Header()
	vary := header["Vary"] // of CORS
	maps.Copy(header, a.Headers)
	if own := a.Headers["Vary"]; own != nil {
		header["Vary"] = slices.Concat(vary, own)
	}
	if a.Status != http.StatusNoContent && a.Status != http.StatusNotModified {
		header["Content-Length"] = length
	}
	// HEAD is answered as GET is, and nothing behind the handler need take the body away.
	if x.Method == http.MethodHead {
		body = nil
	}
	x.Answer.Sent = len(body)
	x.WriteHeader(a.Status)
	if len(body) == 0 {
		return
	}
	if sent, err := x.Write(body); err != nil {
		x.Answer.Sent = sent
		x.amend("; %d of %s bytes were sent before %s", sent, length[0], x.whyEnded())
		abort()
	}
}
