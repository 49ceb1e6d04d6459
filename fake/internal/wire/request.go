package wire

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

const (
	drainBytes  = 8 << 20         // how much Drain reads of a body
	bodyTimeout = 5 * time.Second // how long the rest of a body may take after the answer
)

// Drained is the state in which Drain leaves the body of a request.
type Drained int

const (
	// DrainedAll means that nothing is left of the body.
	DrainedAll Drained = iota
	// DrainedPart means that a part is left unread. The request's context may be done
	// because the read failed, though the client is still there.
	DrainedPart
	// DrainedGone means that the client closed the connection before the end of
	// the body.
	DrainedGone
)

// Drain reads and discards the body of a request. It is called before an answer is
// delayed, because net/http notices that a client has gone away only after the request
// was read to its end. Drain reads at most 8 MiB, for at most half a second. If it leaves
// a part unread, it sets the header Connection: close, because net/http would otherwise
// read the rest before it sends the answer.
//
// The writer must be the one that net/http passed to the handler, not a wrapper. Under
// HTTP/2, and without a connection, Drain does nothing.
func Drain(w http.ResponseWriter, r *http.Request) Drained {
	if !hasBody(r) || r.ProtoMajor != 1 || r.Context().Value(http.ServerContextKey) == nil {
		return DrainedAll
	}
	controller := http.NewResponseController(w)
	switch err := controller.SetReadDeadline(time.Now().Add(lingering)); {
	case errors.Is(err, http.ErrNotSupported):
		return DrainedAll
	case err != nil: // a connection in memory that the client has closed
		return DrainedGone
	}
	// With MaxBytesReader, net/http delays the close of a connection whose body
	// was too large, so that the client can read the answer.
	_, err := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, drainBytes))
	controller.SetReadDeadline(time.Time{})
	drained := drainedAfter(err)
	if drained == DrainedPart {
		w.Header().Set("Connection", "close")
	}
	return drained
}

// drainedAfter returns the state of a body after a read that ended with err.
func drainedAfter(err error) Drained {
	var large *http.MaxBytesError
	var broken *net.OpError
	switch {
	case err == nil, errors.Is(err, http.ErrBodyReadAfterClose): // somebody has read it before
		return DrainedAll
	case errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &large):
		return DrainedPart
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.ErrClosedPipe), errors.As(err, &broken):
		return DrainedGone
	}
	return DrainedPart // the body is malformed
}

// LimitRest sets a deadline of five seconds for the rest of a body. A handler calls it
// before it returns, because net/http then reads the rest.
func LimitRest(w http.ResponseWriter, r *http.Request) {
	if hasBody(r) {
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
	}
}

// EndBy sets a deadline for the reads and writes of a handler, which must not have
// returned. EndBy itself does not wait.
func EndBy(w http.ResponseWriter, r *http.Request, deadline time.Time) {
	controller := http.NewResponseController(w)
	controller.SetWriteDeadline(deadline)
	if hasBody(r) {
		controller.SetReadDeadline(deadline)
	}
}

func hasBody(r *http.Request) bool { return r.Body != nil && r.Body != http.NoBody }
