package serve

import (
	"bytes"
	"maps"
	"net/http"
	"slices"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/upstream"
)

// fetch fetches the whole answer of the upstream, so that a reply can change it before it is sent.
// If the upstream has none, fetch answers the request itself, and returns false.
func (x *exchange) fetch() (answer plan.PreparedAnswer, hasAnswer bool) {
	if x.refuseHost() {
		return plan.PreparedAnswer{}, false
	}
	asked := x.received.Clone(x.received.Context())
	asked.Method = http.MethodGet
	asked.Body = http.NoBody // the body was read before the answer was delayed
	asked.ContentLength = 0
	for _, name := range headersNotSent {
		asked.Header.Del(name)
	}
	fetched := &fetchedAnswer{header: x.writer.Header().Clone()}
	_, err := x.proxy.Pass(fetched, asked, upstream.Options{
		BasePath:    x.arrival.Snapshot.BasePath,
		ReplaceCORS: x.arrival.Snapshot.CORS != nil,
	})
	if fetched.err != nil {
		err = fetched.err
	}
	if err != nil {
		x.answerForUpstream(err)
		return plan.PreparedAnswer{}, false
	}
	x.hasBodyOfUpstream = true
	reply := x.arrival.Turn.Reply
	hasCORS := x.arrival.Snapshot.CORS != nil
	if hasCORS {
		plan.ExposeHeaders(fetched.header, reply.Fixture.Headers)
	}
	varyOfCORS := x.writer.Header()["Vary"]
	clear(x.writer.Header()) // the answer has these headers by now
	return fetched.withReply(reply, varyOfCORS), true
}

// headersNotSent are headers of a request that are not sent on, because a reply can only change a
// whole body of plain JSON. With these headers the upstream may compress the body, or send a part
// of it, or say that the client has it already, or answer in another protocol.
var headersNotSent = [...]string{
	"Accept-Encoding",
	"If-Modified-Since",
	"If-None-Match",
	"Range",
	"Upgrade",
}

// maxFetched is how many bytes of a body a reply can change.
const maxFetched = 16 << 20

// tooLarge returns the error for an answer whose body is longer than maxFetched.
func tooLarge() *upstream.Error {
	return &upstream.Error{
		Reason: "the answer of the upstream has more than 16 MiB, which no reply can change",
		Advice: "Give the reply a body or campaigns of its own.",
	}
}

// A fetchedAnswer is an http.ResponseWriter that keeps what is written to it.
type fetchedAnswer struct {
	status int
	header http.Header
	body   bytes.Buffer
	err    error // why not all of the body is kept; nil if all of it is
}

func (f *fetchedAnswer) Header() http.Header {
	return f.header
}

// WriteHeader keeps the last status, because statuses of 1xx may come before it.
func (f *fetchedAnswer) WriteHeader(status int) {
	f.status = status
}

func (f *fetchedAnswer) Write(p []byte) (int, error) {
	if f.body.Len()+len(p) > maxFetched {
		f.err = tooLarge()
		return 0, f.err
	}
	return f.body.Write(p)
}

// wholeHeaders are headers that are no longer true once a reply has changed the answer.
var wholeHeaders = [...]string{
	"Content-Length",
	"ETag",
	"Last-Modified",
	"Trailer",
	"Transfer-Encoding",
}

// withReply returns the answer, changed by the status and the headers of a reply. The Vary of the
// CORS headers stays, since it is about the whole answer.
func (f *fetchedAnswer) withReply(reply *plan.Reply, varyOfCORS []string) plan.PreparedAnswer {
	answer := plan.PreparedAnswer{
		Status:  f.status,
		Headers: f.header,
		Body:    plan.NewBody(f.body.Bytes()),
	}
	if reply.Fixture.Status != 0 {
		answer.Status = reply.Fixture.Status
	}
	for _, name := range wholeHeaders {
		answer.Headers.Del(name)
	}
	// A browser must not keep the changed answer: it would show that one again as soon as the
	// upstream says that nothing is new.
	answer.Headers.Set("Cache-Control", "no-store")
	maps.Copy(answer.Headers, reply.Fixture.Headers)
	varyOfReply := reply.Fixture.Headers["Vary"]
	if varyOfReply != nil {
		answer.Headers["Vary"] = slices.Concat(varyOfCORS, varyOfReply)
	}
	return answer
}
