package serve

import (
	"bytes"
	"net/http"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/upstream"
)

// fetch has the upstream answer in full, so that a reply can change the answer before it is sent.
// It returns false if the upstream has none: the request is answered then.
func (x *exchange) fetch() (answer plan.PreparedAnswer, isThere bool) {
	if x.refuseHost() {
		return plan.PreparedAnswer{}, false
	}
	asked := x.received.Clone(x.received.Context())
	asked.Method = http.MethodGet
	asked.Body = http.NoBody // it was read before the answer was delayed
	asked.ContentLength = 0
	for _, name := range partialHeaders {
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
	clear(x.writer.Header()) // which the answer has by now
	return fetched.withReply(x.arrival.Reply), true
}

// partialHeaders are the headers of a request that let the upstream answer with less than all of
// the JSON, which a reply could not change: compressed, a part of it, or that the client has it
// already.
var partialHeaders = [...]string{
	"Accept-Encoding",
	"If-Modified-Since",
	"If-None-Match",
	"Range",
}

// maxFetched is how many bytes the body of an answer may have that a reply changes.
const maxFetched = 16 << 20

// tooLarge returns the error for an answer whose body has more.
func tooLarge() *upstream.Error {
	return &upstream.Error{
		Reason: "the answer of the upstream has more than 16 MiB, which no reply can change",
		Advice: "Give the reply a body or campaigns of its own.",
	}
}

// A fetchedAnswer is an http.ResponseWriter that keeps what is written.
type fetchedAnswer struct {
	status int
	header http.Header
	body   bytes.Buffer
	err    error // why not all of it is kept, else nil
}

func (f *fetchedAnswer) Header() http.Header {
	return f.header
}

// WriteHeader keeps the last status: others of 1xx may come before it.
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

// wholeHeaders are the headers of an answer that are true of it as it came, and not once a reply
// has changed it.
var wholeHeaders = [...]string{
	"Content-Length",
	"ETag",
	"Last-Modified",
	"Trailer",
	"Transfer-Encoding",
}

// withReply returns the answer with the status and the headers of a reply, if it has some.
func (f *fetchedAnswer) withReply(reply *plan.Reply) plan.PreparedAnswer {
	answer := plan.PreparedAnswer{
		Status:  f.status,
		Headers: f.header,
		Body:    f.body.Bytes(),
	}
	if reply.Fixture.Status != 0 {
		answer.Status = reply.Fixture.Status
	}
	for _, name := range wholeHeaders {
		answer.Headers.Del(name)
	}
	// Otherwise a browser would show what is changed again when the upstream says that it has not.
	answer.Headers.Set("Cache-Control", "no-store")
	for name, values := range reply.Fixture.Headers {
		answer.Headers[http.CanonicalHeaderKey(name)] = values
	}
	return answer
}
