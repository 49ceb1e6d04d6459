package journal

import "context"

// LogMessage is the message of the line that the log has for each request. By this message, a
// slog.Handler that shows these lines in its own way tells them from lines about the server.
const LogMessage = "request"

// requestKey is the key of a request in a context.
type requestKey struct{}

// The server calls NewContext for the line of a request in the log. It returns a context that
// carries the request to FromContext.
func NewContext(ctx context.Context, r *Request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// FromContext returns the request that a line of the log is about, and nil for a line about the
// server. A slog.Handler calls it with the context of Handle, to write its own line in place of the
// attributes. The request is a copy of the journal's, without headers and bodies. Its Token, and
// the values of the query in its URL, are masked as in the attributes. Several handlers may read it
// at the same time, and none may change it.
func FromContext(ctx context.Context) *Request {
	r, _ := ctx.Value(requestKey{}).(*Request)
	return r
}
