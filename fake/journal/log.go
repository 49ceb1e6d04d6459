package journal

import "context"

// LogMessage is the message of the log line for each request. A slog.Handler that writes these
// lines in its own way recognizes them by this message: lines about the server have another
// message.
const LogMessage = "request"

type requestKey struct{}

// NewContext returns a context from which FromContext gets the request. The server calls it for the
// log line of a request.
func NewContext(ctx context.Context, r *Request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// FromContext returns the request that a line of the log is about, and nil for a line about the
// server. Call it in a slog.Handler, with the context that the method Handle gets. The handler can
// then write a line of its own in place of the attributes. The request is a copy of the entry in
// the journal, without headers and bodies. Its Token, and the values of the query in its URL, are
// masked as in the attributes of the line. Several handlers may read the request at the same time,
// and no handler may change it.
func FromContext(ctx context.Context) *Request {
	r, _ := ctx.Value(requestKey{}).(*Request)
	return r
}
