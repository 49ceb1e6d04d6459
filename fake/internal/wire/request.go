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
	drainBytes   = 8 << 20                // Drain reads at most so many bytes of a body
	drainTimeout = 500 * time.Millisecond // Drain reads for at most this long
	bodyTimeout  = 5 * time.Second        // bounds the time for the rest of a body after the answer
)

// Drain reads and discards the body of a request. It reports whether the client has closed the
// connection before the end of the body. A handler calls it for two reasons. While an answer is
// delayed, net/http notices that the client has gone away only after the whole request was read.
// And a connection that is closed with unread bytes is reset, so that the answer is lost.
//
// Drain reads at most 8 MiB, for at most half a second. If it leaves a part unread, it sets the
// header Connection: close, because net/http would otherwise read the rest before it sends the
// answer. If the half second was not enough, the request's context is done, as if the client had
// gone away.
//
// The writer must be the one that net/http passed to the handler, and not a wrapper. Without a
// connection, Drain does nothing.
func Drain(w http.ResponseWriter, r *http.Request) (isGone bool) {
	if !hasBody(r) || r.ProtoMajor != 1 {
		return false
	}
	controller := http.NewResponseController(w)
	err := controller.SetReadDeadline(time.Now().Add(drainTimeout))
	if errors.Is(err, http.ErrNotSupported) {
		return false
	}
	if err != nil {
		return true // a client in memory has closed the connection
	}
	// With MaxBytesReader, net/http delays the close of a connection whose body
	// was too large, so that the client can read the answer.
	_, err = io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, drainBytes))
	controller.SetReadDeadline(time.Time{})
	if err == nil {
		return false
	}
	if isClosed(err) {
		return true
	}
	w.Header().Set("Connection", "close") // the rest is slow, too long, or malformed
	return false
}

// isClosed reports whether a body could not be read because the client closed the connection.
func isClosed(err error) bool {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return false // the body was only slow; the client is still there
	}
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe) ||
		errors.As(err, new(*net.OpError))
}

// LimitRest sets a deadline of five seconds for the rest of a body. A handler calls it before it
// sends a long answer, and before it returns, because net/http reads the rest then.
func LimitRest(w http.ResponseWriter, r *http.Request) {
	if hasBody(r) {
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
	}
}

// EndBy sets a deadline for the reads and writes of a handler, and does not wait for it. The
// handler must not have returned.
func EndBy(w http.ResponseWriter, r *http.Request, deadline time.Time) {
	controller := http.NewResponseController(w)
	controller.SetWriteDeadline(deadline)
	if hasBody(r) {
		controller.SetReadDeadline(deadline)
	}
}

// hasBody reports whether a request may have a body.
func hasBody(r *http.Request) bool {
	return r.Body != nil && r.Body != http.NoBody
}
